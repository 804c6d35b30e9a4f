import type { z } from 'zod';
import type { Call } from '../../../../payments-api/client.js';
import type { CallName } from '../../../../sandbox/faults/rule.schema.js';
import type { agreement, payment, refund } from './shapes.js';
import type { World } from './world.js';

type Run = (call: Call) => Promise<unknown>;

export interface Step {
  line: string;
  operation: CallName;
  scope: string | null;
  status: 200 | 201 | 202;
  prepare: (world: World) => Run | Promise<Run>;
  expected: (body: unknown) => unknown;
}

type Written<Shape extends z.ZodType> = Omit<Step, 'expected'> & {
  answer: Shape;
  makes: (body: z.output<Shape>) => unknown;
};

export const step = <Shape extends z.ZodType>({ answer, makes, ...rest }: Written<Shape>): Step => ({
  ...rest,
  expected: (body) => makes(answer.parse(body)),
});

export const nothing = (): undefined => undefined;

export const utc = (written: string): string => new Date(written).toISOString();

export function agreementSnapshot(wire: z.output<typeof agreement>): object {
  const { uid, state, state_reason, state_caused_by, mms_agreement_id, created_at, links, ...rest } = wire;
  const { resolution_requested_before: deadline, ...mandate } = rest;
  if (!links.self.endsWith(`/payto/agreements/${uid}`)) throw new Error('expected a link to the agreement');
  return {
    uid,
    state,
    causedBy: state_caused_by,
    reason: state_reason === null ? undefined : { code: state_reason },
    mmsAgreementId: mms_agreement_id ?? undefined,
    createdAt: utc(created_at),
    mandate: {
      ...mandate,
      resolution_requested_before: deadline === null ? undefined : utc(deadline),
    },
  };
}

export function paymentSnapshot(wire: z.output<typeof payment>): object {
  const { uid, state, failure, created_at, creditor, debtor, agreement_uid, amount, priority } = wire;
  const { reference, description, creditor_reference, last_payment, metadata } = wire;
  return {
    uid,
    state,
    failure: failure ?? undefined,
    createdAt: utc(created_at),
    debtor,
    order: {
      agreement_uid,
      amount,
      priority,
      reference: reference ?? undefined,
      description: description ?? undefined,
      creditor_reference: creditor_reference ?? undefined,
      creditor: { party_name: creditor.name, account_identifier: creditor.account_identifier },
      last_payment,
      metadata,
    },
  };
}

export const dated = <Wire extends { created_at: string }>(wire: Wire): Wire => ({
  ...wire,
  created_at: utc(wire.created_at),
});

export const refundSnapshot = (wire: z.output<typeof refund>): object => ({
  uid: wire.uid,
  state: wire.state,
  order: { original_payment_uid: wire.original_payment_uid, refund_payment: wire.refund_payment },
  createdAt: utc(wire.created_at),
});
