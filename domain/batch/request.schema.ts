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

export const PaymentOfBatch = RequestPayment.extend({
  uid: UidSchema,
  agreement_uid: UidSchema.meta({ description: 'The agreement under which it is taken.' }),
});

export const AgreementOfBatch = CreateAgreement.refine((row) => row.connection === undefined, {
  path: ['connection'],
  message: 'expected none: the connection is the whole batch’s',
});

/** An object with a usable uid: what else is in it is judged row by row. */
const rowsOf = (what: string, most: number) =>
  z
    .array(z.looseObject({ uid: UidSchema }).meta({ description: what }))
    .min(1)
    .max(most);

const AgreementsBatch = z
  .strictObject({
    ...named,
    kind: z.literal('agreements'),
    connection: connection.meta({
      description: 'May be left out where there is only one; no row names its own.',
    }),
    rows: rowsOf('As `POST /v1/agreements` takes it, without `connection`.', MOST_ROWS),
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
    rows: rowsOf('As `POST /v1/agreements/{uid}/payments` takes it, with `agreement_uid`.', MOST_ROWS),
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

export const IdentificationOfBatch = z.strictObject({ uid: UidSchema, ...identifiers });

export const IdentifyAgreements = z
  .strictObject({
    ...named,
    connection: connection.meta({ description: 'An agreement that is on another one is refused.' }),
    ...identifiers,
    rows: rowsOf('`uid` of the agreement, and its own `initiator` and `debtor`.', MOST_IDENTIFICATIONS),
  })
  .superRefine(({ rows }, context) => {
    eachOnce(rows, context, 'rows');
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
