import type { z } from 'zod';
import type { Call } from '../../../../payments-api/client.js';
import type { CallName } from '../../../../sandbox/faults/rule.schema.js';
import type { agreement, payment } from './shapes.js';
import type { World } from './world.js';

type Run = (call: Call) => Promise<unknown>;

export interface Step {
  /** What goes over the wire; `{}` stands for what the call names. */
  line: string;
  /** As the sandbox's ledger calls it. */
  operation: CallName;
  /** docs/provider.md#authentication; null: any token will do. */
  scope: string | null;
  status: 200 | 201 | 202;
  /** Sees to what the call needs, and hands the call over. */
  prepare: (world: World) => Run | Promise<Run>;
  /** What the client is to make of that answer; fails where it is not as documented. */
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

/** Any of the instants that the provider writes, as we keep it: in UTC with milliseconds. */
export const utc = (written: string): string => new Date(written).toISOString();

/** The agreement as the domain has it: nothing of the provider's links. */
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

/** The payment as the domain has it: what it asks for, and what became of it. */
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

/** As it came, with its instant as we keep it. */
export const dated = <Wire extends { created_at: string }>(wire: Wire): Wire => ({
  ...wire,
  created_at: utc(wire.created_at),
});
