// What callers may say to have many requests carried out as one.
import { z } from 'zod';
import { CreateAgreement } from '../agreement/request.schema.js';
import { IdentifyAgreement } from '../agreement/action.schema.js';
import { UidSchema, text } from '../agreement/mandate.schema.js';
import { RequestPayment } from '../payment/request.schema.js';

export const MOST_ROWS = 1000;
export const MOST_IDENTIFICATIONS = 10_000;

const named = {
  id: UidSchema.optional().meta({
    description: 'Left out, it is derived from the Idempotency-Key.',
    example: 'march-2027',
  }),
};
const connection = UidSchema.optional();

const PaymentOfBatch = RequestPayment.extend({
  uid: UidSchema,
  agreement_uid: UidSchema.meta({ description: 'The agreement under which it is taken.' }),
}).meta({ id: 'PaymentOfBatch' });

const AgreementsBatch = z
  .strictObject({
    ...named,
    kind: z.literal('agreements'),
    connection: connection.meta({
      description: 'May be left out where there is only one; no row names its own.',
    }),
    rows: z.array(CreateAgreement).min(1).max(MOST_ROWS),
  })
  .superRefine(({ rows }, context) => {
    rows.forEach((row, index) => {
      if (row.connection !== undefined)
        context.addIssue({
          code: 'custom',
          path: ['rows', index, 'connection'],
          message: 'expected none: the connection is the whole batch’s',
        });
    });
  })
  .meta({ id: 'AgreementsBatch' });

const PaymentsBatch = z
  .strictObject({
    ...named,
    kind: z.literal('payments'),
    connection: connection.meta({
      description:
        'A row whose agreement is on another one is refused. Left out, each is on its agreement’s.',
    }),
    rows: z.array(PaymentOfBatch).min(1).max(MOST_ROWS),
  })
  .meta({ id: 'PaymentsBatch' });

/** @param path of the uid in a row. */
const eachOnce = (rows: readonly { uid: string }[], context: z.RefinementCtx, field: string): void => {
  const first = new Map<string, number>();
  rows.forEach(({ uid }, index) => {
    const before = first.get(uid);
    if (before === undefined) first.set(uid, index);
    else
      context.addIssue({
        code: 'custom',
        path: [field, index, 'uid'],
        message: `expected another uid than that of row ${before}`,
      });
  });
};

export const CreateBatch = z
  .discriminatedUnion('kind', [AgreementsBatch, PaymentsBatch])
  .superRefine(({ rows }, context) => {
    eachOnce(rows, context, 'rows');
  })
  .meta({ id: 'CreateBatch' });
export type CreateBatch = z.output<typeof CreateBatch>;

const identifiers = {
  initiator: IdentifyAgreement.shape.initiator,
  debtor: IdentifyAgreement.shape.debtor,
};

export const IdentifyAgreements = z
  .strictObject({
    ...named,
    connection: connection.meta({ description: 'An agreement that is on another one is refused.' }),
    ...identifiers,
    rows: z
      .array(
        z
          .strictObject({ uid: UidSchema.meta({ description: 'Of the agreement.' }), ...identifiers })
          .meta({ id: 'IdentificationOfBatch' }),
      )
      .min(1)
      .max(MOST_IDENTIFICATIONS),
  })
  .superRefine(({ rows, ...all }, context) => {
    eachOnce(rows, context, 'rows');
    rows.forEach(({ initiator = all.initiator, debtor = all.debtor }, index) => {
      if (initiator === undefined && debtor === undefined)
        context.addIssue({
          code: 'custom',
          path: ['rows', index],
          message: 'expected initiator.client_id, debtor.payment_account_uid, or both, here or for all rows',
        });
    });
  })
  .meta({
    id: 'IdentifyAgreements',
    description:
      '`initiator` and `debtor` outside of `rows` are meant for each row that has none of its own.',
  });
export type IdentifyAgreements = z.output<typeof IdentifyAgreements>;

export const SteerBatch = z
  .strictObject({ reason: text(256).meta({ description: 'Why; kept with it.' }) })
  .meta({ id: 'SteerBatch' });
