// The facts of an agreement that no event brings: what we noted when something was asked of it, shown or settled. They stand
// in its timeline among the provider's events. As data.
import type { Cause } from '../agreement/events.js';
import type { FactSource } from './fact.js';

export interface LocalFact {
  says: string;
  source: FactSource;
  by: readonly Cause[];
  /** What its detail and its reason hold. */
  why: string;
  moves: string;
}

export const LOCAL_FACTS = {
  requested: {
    says: 'a command was taken, and is passed on',
    source: 'command',
    by: ['initiator'],
    why: 'which command',
    moves: 'nothing',
  },
  refused: {
    says: 'the provider would not take a command',
    source: 'command',
    by: ['initiator'],
    why: "which command; the provider's code and title",
    moves: 'nothing',
  },
  attention_resolved: {
    says: 'an operator has settled what a flag warned of',
    source: 'command',
    by: ['initiator'],
    why: 'which flag, which principal, and the reason given',
    moves: 'nothing; what the flag blocked goes on',
  },
  planned: {
    says: 'payments were planned ahead, in place of what was planned before',
    source: 'command',
    by: ['initiator'],
    why: 'which principal, and the schedule',
    moves: 'nothing',
  },
  plan_ended: {
    says: 'the plan of payments was ended',
    source: 'command',
    by: ['initiator'],
    why: 'which principal',
    moves: 'nothing',
  },
  unanswered: {
    says: 'the payer has been asked, and has not answered so far',
    source: 'command',
    by: ['initiator'],
    why: 'for how long',
    moves: 'nothing',
  },
  observed: {
    says: 'a look-up showed a state that no event explains',
    source: 'lookup',
    by: ['payer', 'initiator', 'provider'],
    why: "the agreement's own `state_caused_by` and `state_reason`",
    moves: 'to the state shown, if that is further along; never out of a final one',
  },
} as const satisfies Readonly<Record<string, LocalFact>>;
