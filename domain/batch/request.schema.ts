// The bodies that create and control batches.
import { z } from 'zod';
import { CreateAgreement } from '../agreement/request.schema.js';
import { IdentifyAgreement, ResolveAttention } from '../agreement/action.schema.js';
import { DateSchema, UidSchema, text } from '../agreement/mandate.schema.js';
import { ATTENTION_CODES } from '../attention/flags.js';
import { isUid } from '../provider/uid.js';
import { RequestPayment } from '../payment/request.schema.js';
import { NOT_NEAR, isNear } from '../time/near.js';
import { RESOLVABLE } from './repair.js';

const MOST_ROWS = 1000;
const MOST_IDENTIFICATIONS = 10_000;

const named = {
  id: UidSchema.optional().meta({
    description: 'Default: derived from the Idempotency-Key.',
    example: 'march-2027',
  }),
};
const connection = UidSchema.optional();

export const PaymentOfBatch = RequestPayment.extend({
  uid: UidSchema,
  agreement_uid: UidSchema.meta({ description: 'The agreement under which the payment is taken.' }),
});

export const AgreementOfBatch = CreateAgreement.refine((row) => row.connection === undefined, {
  path: ['connection'],
  message: 'expected no connection here: the whole batch has one connection',
});

/** An object with a valid uid. Its other fields are validated row by row. */
const rowsOf = (what: string, most: number) =>
  z.preprocess(
    upToManyProblems(most),
    z
      .array(z.looseObject({ uid: UidSchema }).meta({ description: what }))
      .min(1)
      .max(most),
  );

/** zod reports each invalid row, which takes seconds for thousands. So it gets no rows after so many invalid or superfluous ones. */
const MOST_PROBLEMS = 50;

const upToManyProblems =
  (most: number) =>
  (rows: unknown): unknown => {
    if (!Array.isArray(rows)) return rows;
    let invalid = 0;
    const last = rows.findIndex((row: unknown) => !hasUid(row) && ++invalid === MOST_PROBLEMS);
    return rows.slice(0, last === -1 ? most + 1 : last + 1);
  };

const hasUid = (row: unknown): boolean =>
  typeof row === 'object' && row !== null && 'uid' in row && isUid(row.uid);

const AgreementsBatch = z
  .strictObject({
    ...named,
    kind: z.literal('agreements'),
    connection: connection.meta({
      description: 'The connection of every row. Optional if there is only one.',
    }),
    rows: rowsOf('Has the fields of `POST /v1/agreements`, without `connection`.', MOST_ROWS),
  })
  .meta({ id: 'AgreementsBatch' });

const PaymentsBatch = z
  .strictObject({
    ...named,
    kind: z.literal('payments'),
    connection: connection.meta({
      description:
        'A row whose agreement is on another connection is refused. Default: each row uses the connection of its agreement.',
    }),
    rows: rowsOf('Has the fields of `POST /v1/agreements/{uid}/payments`, and `agreement_uid`.', MOST_ROWS),
  })
  .meta({ id: 'PaymentsBatch' });

const eachOnce = (rows: readonly { uid: string }[], context: z.RefinementCtx, field: string): void => {
  const first = new Map<string, number>();
  for (const [index, { uid }] of rows.entries()) {
    const before = first.get(uid);
    if (before === undefined) first.set(uid, index);
    else if (context.issues.length < MOST_PROBLEMS)
      context.addIssue({
        code: 'custom',
        path: [field, index, 'uid'],
        message: `expected a uid that differs from that of row ${before}`,
      });
  }
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
    connection: connection.meta({ description: 'An agreement on another connection is refused.' }),
    ...identifiers,
    rows: rowsOf(
      'Names an agreement by its `uid`, and may have its own `initiator` and `debtor`.',
      MOST_IDENTIFICATIONS,
    ),
  })
  .superRefine(({ rows }, context) => {
    eachOnce(rows, context, 'rows');
  })
  .meta({
    id: 'IdentifyAgreements',
    description: '`initiator` and `debtor` outside of `rows` apply to each row that does not have its own.',
  });
export type IdentifyAgreements = z.output<typeof IdentifyAgreements>;

const repaired = {
  ...named,
  reason: text(256).meta({ description: 'Why it is done; stored with the batch.' }),
};
const failedAt = (description: string) =>
  z.iso
    .datetime('expected an RFC 3339 instant in UTC, ending in Z')
    .refine(isNear, NOT_NEAR)
    .transform((text) => new Date(text).toISOString())
    .optional()
    .meta({ description, example: '2026-11-12T00:00:00Z' });

const RetryFilter = z
  .strictObject({
    failure_code: z
      .string()
      .regex(/^[A-Za-z0-9_.-]{1,64}$/, 'expected a failure code such as AM04')
      .optional()
      .meta({ description: 'Only payments whose last failure has this code.', example: 'AM04' }),
    failed_on: DateSchema.refine(isNear, NOT_NEAR)
      .optional()
      .meta({ description: 'Only payments that failed on this day in Sydney.', example: '2026-11-12' }),
    failed_from: failedAt('Only payments that failed at or after this time.'),
    failed_until: failedAt('Only payments that failed before this time.'),
    agreement_uid: UidSchema.optional().meta({ description: 'Only payments under this agreement.' }),
  })
  .refine((filter) => Object.values(filter).some((value) => value !== undefined), {
    error: 'expected at least one filter',
  })
  .refine(
    ({ failed_on, failed_from, failed_until }) =>
      failed_on === undefined || (failed_from === undefined && failed_until === undefined),
    { path: ['failed_on'], error: 'expected failed_on, or failed_from and failed_until, and not both' },
  );

export const RetryPayments = z
  .strictObject({
    ...repaired,
    connection: connection.meta({ description: 'Only payments on this connection.' }),
    filter: RetryFilter.meta({
      id: 'RetryFilter',
      description: 'A payment must match all of it. At least one field is required.',
    }),
  })
  .meta({ id: 'RetryPayments' });

export const ResolveFlags = z
  .strictObject({
    ...repaired,
    connection: connection.meta({ description: 'Only resources of this connection.' }),
    filter: z
      .strictObject({
        flag: z.enum(ATTENTION_CODES).meta({ description: 'Only resources with this flag.' }),
        resource: z.enum(RESOLVABLE).optional().meta({
          description: 'Only resources of this kind. Default: all kinds that have flags to resolve.',
        }),
      })
      .meta({ id: 'FlagFilter' }),
    decision: ResolveAttention.shape.decision,
  })
  .refine(({ filter, decision }) => (filter.flag === 'parked') === (decision !== undefined), {
    path: ['decision'],
    error: 'expected adopt or close for the flag parked, and no decision for other flags',
  })
  .meta({ id: 'ResolveFlags' });

export const SteerBatch = z
  .strictObject({ reason: text(256).meta({ description: 'The reason; stored with the batch.' }) })
  .meta({ id: 'SteerBatch' });
