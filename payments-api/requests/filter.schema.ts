// What the provider's lists and reports are asked for (docs/provider.md#lists, #webhooks-deliveries). checked.ts writes their wire form.
import { z } from 'zod';
import { date, open, uid, word } from './parts.schema.js';

const page = { perPage: z.int().min(1).max(100).optional(), startingAfter: open.optional() };
const states = z.array(word).readonly().optional();
/** Sydney days, both inclusive. */
const created = { minCreatedDate: date.optional(), maxCreatedDate: date.optional() };
const instant = z.iso.datetime({ offset: true });

export const AgreementFilter = z.strictObject({
  state: states,
  /** An exact match, case-sensitive. */
  initiatorName: open.optional(),
  ...created,
  ...page,
});
export type AgreementFilter = z.output<typeof AgreementFilter>;

export const PaymentFilter = z.strictObject({
  state: states,
  agreementUid: uid.optional(),
  agreementInitiatorName: open.optional(),
  refunds: z.enum(['included', 'excluded', 'only']).optional(),
  ...created,
  ...page,
});
export type PaymentFilter = z.output<typeof PaymentFilter>;

export const RefundFilter = z.strictObject({
  originalPaymentUid: uid.optional(),
  ...created,
  ...page,
});

/** The provider publishes the client filters without their parameter names. These are the names of the fields. */
export const ClientFilter = z.strictObject({
  /** A prefix match. */
  legalName: open.optional(),
  australianBusinessNumber: open.optional(),
  ...page,
});

/** Instants; other lists use days. `startingAfter` is the id of an entry. */
export const EntryFilter = z.strictObject({
  minCreatedDate: instant.optional(),
  maxCreatedDate: instant.optional(),
  ...page,
});
export type EntryFilter = z.output<typeof EntryFilter>;

const status = z.int().min(100).max(599);

export const DeliveryFilter = z.strictObject({
  eventType: open.optional(),
  since: open.optional(),
  state: states,
  /** Single codes, ranges, and null for deliveries without a response (docs/provider.md#webhooks-deliveries). */
  responseStatusCode: z
    .array(z.union([status, z.null(), z.strictObject({ from: status, to: status }).refine(isRange)]))
    .readonly()
    .optional(),
  ref: open.optional(),
  ...page,
});
export type DeliveryFilter = z.output<typeof DeliveryFilter>;

/** The day of a settlement report (docs/provider.md#operations). */
export const ReportDay = z.strictObject({ date });

function isRange({ from, to }: { from: number; to: number }): boolean {
  return from <= to;
}
