// The payer, played: what can be done as the agreement stands, and what the provider publishes of it.
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
    // Only who suspended it can resume it (docs/provider.md#agreements-actions).
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

/** What the payer can do with the agreement as it stands. */
export function possibleActions(agreement: Agreement): PayerAction[] {
  return PayerAction.options.filter((action) => ACTS[action].isPossible(agreement));
}

/** The payer acts now; refused with 409 where the agreement does not allow it. */
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
  const detail = `The payer cannot ${action} agreement ${uid}: it is ${state}, caused by ${state_caused_by}`;
  throw refuse(409, 'Not possible now', detail);
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

/** The scripted answer has come due; void where the agreement was resolved in the meantime. */
export function answerAgreement(engine: Engine, agreement: Agreement): void {
  if (agreement.state === 'created') ANSWERS[agreement.script.simulate]?.(engine, agreement);
}
