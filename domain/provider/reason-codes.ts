// Reason codes of agreements and failure codes of payments, as in the provider's events and resources: what each means, what to tell the payer,
// and what to do next (docs/provider.md#reason-codes). The codes of refused requests are in payments-api/error-table.ts. Pure.
import { AGREEMENT_REASONS } from './reasons/agreement.js';
import { PAYMENT_REASONS } from './reasons/payment.js';
import { PROVIDER_REASONS } from './reasons/provider.js';
import type { ReasonCode } from './reasons/row.js';

/** Every code that the provider's API files list as a reason or a failure. */
export const REASON_CODES: ReadonlyMap<string, ReasonCode> = new Map(
  Object.entries({ ...PAYMENT_REASONS, ...AGREEMENT_REASONS, ...PROVIDER_REASONS }).map(
    ([code, [title, retryable, means, payer, next]]) => [code, { title, retryable, means, payer, next }],
  ),
);

/** A payment failed because its agreement was migrated recently. It is not the payer's fault, and the grace period ends. */
export const IN_GRACE_PERIOD = 'MCGP';

export const UNKNOWN_CODE_NEXT =
  'We have no advice for this code. Ask the provider what it means before you retry anything.';

/** Our own codes are in lower case. They have only the advice that they carry. */
const isLocal = (code: string): boolean => /^[a-z_]+$/.test(code);

export interface Advice {
  next?: string | undefined;
  payer?: string | undefined;
}

/** What to do about a code, and what to tell the payer. Advice that the code carries takes precedence over its row. */
export function adviceOn({ code, next }: { code?: string | undefined; next?: string | undefined }): Advice {
  if (code === undefined || isLocal(code)) return { next };
  const row = REASON_CODES.get(code);
  return { next: next ?? row?.next ?? UNKNOWN_CODE_NEXT, payer: row?.payer };
}
