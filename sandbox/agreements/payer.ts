// The payer, played: what can be done from which state, and what the provider tells of it.
import { z } from 'zod';
import { expireAgreement } from './agreement-life.js';
import { moveAgreement, type AgreementMove } from './agreement-states.js';
import type { Engine } from '../engine.js';
import type { Agreement, AgreementState, PayerSimulation } from './agreement.schema.js';
import { refuse } from '../http/refusal.js';

export const PayerAction = z.enum(['accept', 'decline', 'suspend', 'reactivate', 'cancel']);
export type PayerAction = z.output<typeof PayerAction>;

interface Turn {
  from: readonly AgreementState[];
  move(agreement: Agreement): Omit<AgreementMove, 'causedBy'>;
}

const customerAsked = (detail: string) => ({
  code: 'MD16',
  title: 'Requested by customer',
  detail,
  narrative: 'Requested by the payer.',
});

const TURNS: Record<PayerAction, Turn> = {
  accept: {
    from: ['created'],
    move: ({ mms_agreement_id }) => ({
      to: 'active',
      event: { name: 'activated', body: { mms_agreement_id } },
    }),
  },
  decline: {
    from: ['created'],
    move: ({ mms_agreement_id }) => {
      const reason = customerAsked('The debtor declined the agreement.');
      const body = { mms_agreement_id, caused_by: 'debtor', reason };
      return { to: 'declined', reason: reason.code, event: { name: 'declined', body } };
    },
  },
  suspend: {
    from: ['active'],
    move: () => {
      const reason = customerAsked('The debtor paused the agreement.');
      const body = { caused_by: 'debtor', reason };
      return { to: 'suspended', reason: reason.code, event: { name: 'suspended', body } };
    },
  },
  reactivate: {
    from: ['suspended'],
    move: () => ({ to: 'active', event: { name: 'reactivated', body: { caused_by: 'debtor' } } }),
  },
  cancel: {
    from: ['created', 'active', 'suspended'],
    move: () => {
      const reason = customerAsked('The debtor cancelled the agreement.');
      const body = { caused_by: 'debtor', reason };
      return { to: 'cancelled', reason: reason.code, event: { name: 'cancelled', body } };
    },
  },
};

/** What the payer can do with the agreement as it stands. Only who suspended it can resume it. */
export function possibleActions({ state, state_caused_by }: Agreement): PayerAction[] {
  return PayerAction.options.filter(
    (action) =>
      TURNS[action].from.includes(state) && !(action === 'reactivate' && state_caused_by !== 'debtor'),
  );
}

/** The payer acts now; refused with 409 where the agreement does not allow it. */
export function actAsPayer(engine: Engine, agreement: Agreement, action: PayerAction): void {
  if (possibleActions(agreement).includes(action)) {
    moveAgreement(engine, agreement, { causedBy: 'debtor', ...TURNS[action].move(agreement) });
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
  expire: expireAgreement,
};

/** The scripted answer has come due; void where the agreement was resolved in the meantime. */
export function answerAgreement(engine: Engine, agreement: Agreement): void {
  if (agreement.state === 'created') ANSWERS[agreement.script.simulate]?.(engine, agreement);
}
