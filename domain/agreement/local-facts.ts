// The facts of an agreement that we record ourselves, for commands, look-ups and resolutions. They are in its timeline beside the
// provider's events. Pure data.
import type { Cause } from './events.js';
import type { FactSource } from '../facts/fact.js';

export interface LocalFact {
  says: string;
  source: FactSource;
  by: readonly Cause[];
  /** The contents of its detail and reason. */
  why: string;
  moves: string;
}

export const LOCAL_FACTS = {
  requested: {
    says: 'a command was accepted, and will be sent to the provider',
    source: 'command',
    by: ['initiator'],
    why: 'which command',
    moves: 'nothing',
  },
  refused: {
    says: 'the provider refused a command',
    source: 'command',
    by: ['initiator'],
    why: "which command; the provider's code and title",
    moves: 'nothing',
  },
  attention_resolved: {
    says: 'an operator resolved a flag',
    source: 'command',
    by: ['initiator'],
    why: 'which flag, which principal, and the reason given',
    moves: 'nothing; steps that the flag blocked resume',
  },
  planned: {
    says: 'a plan of payments replaced the previous one, if any',
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
    says: 'the payer has not answered yet',
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
    moves:
      'to the observed state, unless it is an earlier one; out of a final state only to reopen the agreement',
  },
} as const satisfies Readonly<Record<string, LocalFact>>;
