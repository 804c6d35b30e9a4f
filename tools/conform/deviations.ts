// Intended differences from the provider's files. Unused rows are reported, so that the table stays accurate.
import type { Mismatch } from './verdict.js';

export interface Deviation {
  /** The operation in the report; `*` matches all. */
  operation: string;
  /** The place in the report. */
  where: string;
  reason: string;
}

const FROM_20260901 = 'The files describe version 20260101; this operation requires 20260901.';

const GUARDED =
  'docs/provider.md#authentication: every operation requires a token with the right scope; some list no refusal of others.';
const UNLISTED =
  'The file lists no refusal of this operation, but the sandbox must refuse unknown resources.';

const ONE_SENTENCE =
  'docs/provider.md#errors: core resources answer `{"errors": "one sentence"}`; the file documents no body, or a list.';
const SAYS_WHAT_IS_WRONG = 'The file documents no body; the sandbox names the invalid field.';
const RELATIVE_LINK = 'The example in the file is a relative path, which is no URI by its own format.';
const BROKEN_JSON = 'No file documents the answer to JSON that cannot be parsed.';
const CORE = {
  account: 'GET /bank_accounts/{}',
  entries: 'GET /bank_accounts/{}/entries',
  entry: 'GET /bank_accounts/{}/entries/{}',
  deliveries: 'GET /webhooks/{}/deliveries',
  delivery: 'GET /webhook_deliveries/{}',
} as const;

export const DEVIATIONS: readonly Deviation[] = [
  ...Object.values(CORE).map((operation) => ({ operation, where: '404', reason: ONE_SENTENCE })),
  { operation: CORE.entries, where: '422 /errors', reason: ONE_SENTENCE },
  {
    operation: CORE.delivery,
    where: '200 /data/created_at',
    reason: 'docs/provider.md#webhooks-deliveries: the sample of the file writes `2021-09-02 02:24:50 UTC`.',
  },
  {
    operation: 'GET /reports/payto_settlement/{}',
    where: 'operation',
    reason: 'The presigned link itself, which the provider chooses.',
  },
  {
    operation: 'POST /merchant_reports/payto_settlement/{}/download',
    where: 'status 400',
    reason: UNLISTED,
  },
  { operation: 'GET /investigations/disputes', where: '200 /data/*/links/self', reason: RELATIVE_LINK },
  ...['disputes/{}', 'action_requests/{}/accept', 'action_requests/{}/reject'].map((path) => ({
    operation: `${path.startsWith('disputes') ? 'GET' : 'POST'} /investigations/${path}`,
    where: '200 /data/links/self',
    reason: RELATIVE_LINK,
  })),
  ...['npp_payid', 'npp_bban', 'de'].map((by) => ({
    operation: `POST /simulate/incoming_${by}_payment`,
    where: '400',
    reason: SAYS_WHAT_IS_WRONG,
  })),
  ...['POST /clients', 'PATCH /clients/{}', 'POST /cop/account/validate'].map((operation) => ({
    operation,
    where: 'status 400',
    reason: BROKEN_JSON,
  })),
  {
    operation: 'POST /payto/agreements/{}/amendment/recall',
    where: 'status 400',
    reason: 'The file lists no answer to a body that violates its schema; the other actions list 400.',
  },
  { operation: 'POST /counterparties', where: 'operation', reason: FROM_20260901 },
  { operation: 'POST /payto/agreements/{}/add_identification', where: 'operation', reason: FROM_20260901 },
  { operation: '*', where: 'status 401', reason: GUARDED },
  { operation: '*', where: 'status 403', reason: GUARDED },
  { operation: 'POST /webhook_deliveries/{}/redeliver', where: 'status 404', reason: UNLISTED },
  { operation: 'GET /webhooks/{}/deliveries', where: 'status 400', reason: UNLISTED },
  {
    operation: 'POST /payto/agreements/{}/amendment',
    where: '422 /errors/*/code',
    reason:
      'The file refers to the codes of a creation by mistake; its list of codes of amendments is not used anywhere.',
  },
  {
    operation: 'GET /webhooks/{}/deliveries',
    where: 'query /event_type',
    reason: 'The file enumerates a sentence that points to the list of types.',
  },
  {
    operation: 'GET /webhooks/{}/deliveries',
    where: 'query /response_status_code/*',
    reason: 'docs/provider.md#webhooks-deliveries: single codes, ranges and null since July 2026.',
  },
  {
    operation: 'webhook payto_agreement.amended_recalled',
    where: 'type',
    reason: 'docs/provider.md#events: the documents spell the event in two ways, and the sandbox sends both.',
  },
];

/** Operations of the files that the product does not use, by path prefix. */
export const OUT_OF_SCOPE: readonly string[] = [
  ...['/agreements', '/contacts', '/payments', '/payouts', '/payment_requests', '/credits', '/refunds'],
  ...['/transactions', '/transfers'],
];

/** The mismatches without a justifying row, and the rows without a mismatch. */
export function withoutDeviations(mismatches: readonly Mismatch[]): {
  open: Mismatch[];
  unused: Deviation[];
} {
  const covers = (row: Deviation, one: Mismatch): boolean =>
    (row.operation === '*' || row.operation === one.operation) && row.where === one.where;
  return {
    open: mismatches.filter((one) => !DEVIATIONS.some((row) => covers(row, one))),
    unused: DEVIATIONS.filter((row) => !mismatches.some((one) => covers(row, one))),
  };
}
