// Simulates the payer: which actions an agreement allows, and their effects.
import { z } from 'zod';
import { expireAgreement } from '../agreements/life.js';
import { reasonOf } from '../agreements/reasons.js';
import {
  accepted,
  cancelled,
  declined,
  reactivated,
  suspended,
  moveAgreement,
} from '../agreements/states.js';
import { applyAmendment, awaitedAmendment } from '../amendments/changes.js';
import { declineAmendment } from '../amendments/life.js';
import type { Engine } from '../engine/parts.js';
import { refuse } from '../http/refusal.js';
import type { Reason } from '../store/action.schema.js';
import type { Agreement, PayerSimulation } from '../store/agreement.schema.js';

export const PayerAction = z.enum([
  'accept',
  'decline',
  'suspend',
  'reactivate',
  'cancel',
  'accept_amendment',
  'decline_amendment',
]);
export type PayerAction = z.output<typeof PayerAction>;

interface Act {
  isPossible: (agreement: Agreement) => boolean;
  perform: (engine: Engine, agreement: Agreement, reason: Reason) => void;
}

const awaits = ({ state }: Agreement): boolean => state === 'created';

const ACTS: Record<PayerAction, Act> = {
  accept: {
    isPossible: awaits,
    perform: (engine, agreement) => void moveAgreement(engine, agreement, accepted(agreement)),
  },
  decline: {
    isPossible: awaits,
    perform: (engine, agreement, reason) =>
      void moveAgreement(engine, agreement, declined(agreement, reason)),
  },
  suspend: {
    isPossible: ({ state }) => state === 'active',
    perform: (engine, agreement, reason) =>
      void moveAgreement(engine, agreement, suspended('debtor', reason)),
  },
  reactivate: {
    // Only the party that suspended it can reactivate it (docs/provider.md#agreements-actions).
    isPossible: ({ state, state_caused_by }) => state === 'suspended' && state_caused_by === 'debtor',
    perform: (engine, agreement) => void moveAgreement(engine, agreement, reactivated('debtor')),
  },
  cancel: {
    isPossible: ({ state }) => ['created', 'active', 'suspended'].includes(state),
    perform: (engine, agreement, reason) =>
      void moveAgreement(engine, agreement, cancelled('debtor', reason)),
  },
  accept_amendment: {
    isPossible: (agreement) => awaitedAmendment(agreement) !== undefined,
    perform: (engine, agreement) => {
      const amendment = awaitedAmendment(agreement);
      if (amendment !== undefined) applyAmendment(engine, { agreement, amendment });
    },
  },
  decline_amendment: {
    isPossible: (agreement) => awaitedAmendment(agreement) !== undefined,
    perform: (engine, agreement) => {
      const amendment = awaitedAmendment(agreement);
      if (amendment !== undefined) declineAmendment(engine, { agreement, amendment });
    },
  },
};

/** The actions that the payer can take in the agreement's current state. */
export function possibleActions(agreement: Agreement): PayerAction[] {
  return PayerAction.options.filter((action) => ACTS[action].isPossible(agreement));
}

/** Acts as the payer at once. @throws Refusal 409 if the agreement does not allow it. */
export function actAsPayer(
  engine: Engine,
  agreement: Agreement,
  action: PayerAction,
  reason = reasonOf('MD16', 'Requested by the payer.'),
): void {
  if (ACTS[action].isPossible(agreement)) {
    ACTS[action].perform(engine, agreement, reason);
    return;
  }
  const { uid, state, state_caused_by } = agreement;
  const detail = `The payer cannot ${action} agreement ${uid}: its state is ${state}, caused by ${state_caused_by}`;
  throw refuse(409, 'Conflict', detail);
}

const ANSWERS: Partial<Record<PayerSimulation, (engine: Engine, agreement: Agreement) => void>> = {
  debtor_accept: (engine, agreement) => {
    actAsPayer(engine, agreement, 'accept');
  },
  debtor_decline: (engine, agreement) => {
    actAsPayer(engine, agreement, 'decline');
  },
  no_answer: (engine, agreement) => {
    actAsPayer(engine, agreement, 'decline', reasonOf('NOAS'));
  },
  expire: expireAgreement,
};

/** Gives the scripted answer when it is due. Does nothing if the agreement was already answered. */
export function answerAgreement(engine: Engine, agreement: Agreement): void {
  if (agreement.state === 'created') ANSWERS[agreement.script.simulate]?.(engine, agreement);
}
