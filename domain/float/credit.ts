// A credit to a float account that the provider could not match (docs/provider.md#unmatched-credits). Pure.
import { isUid } from '../provider/uid.js';
import type { Fact, Instant } from '../facts/fact.js';

const UNMATCHED_CREDIT = 'float_accounts.unmatched_credit.received';

/** What an operator may decide. `matched`: it pays a payment or an agreement. `returned`: it was sent back. `kept`: it is ours without a match. */
export const CREDIT_DECISIONS = ['matched', 'returned', 'kept', 'ignored'] as const;
export type CreditDecisionName = (typeof CREDIT_DECISIONS)[number];

/**
 * `unconfirmed`: only a notification named it. `open`: the account has its entry, and an operator must decide. `joined`: another case has its
 * entry.
 */
export const CREDIT_STATES = ['unconfirmed', 'open', ...CREDIT_DECISIONS, 'joined'] as const;

/** What an operator decides, and why. */
export interface CreditResolution {
  decision: CreditDecisionName;
  reason: string;
  /** Only for `matched`: exactly one of the two. */
  paymentUid?: string | undefined;
  agreementUid?: string | undefined;
  /** The principal. */
  by: string;
}

/** Whether a resolution repeats the one that was taken: the reason and the principal may differ. */
export const isSameResolution = (one: CreditResolution, other: CreditResolution): boolean =>
  one.decision === other.decision &&
  one.paymentUid === other.paymentUid &&
  one.agreementUid === other.agreementUid;

/** The entry of the account, which proves the credit. */
export interface CreditEntry {
  /** The notification may have another one. */
  id: string;
  /** Cents. */
  amount: number;
  at: Instant;
  balanceAfter: number;
}

/** What was found in the account. */
export interface Confirmation {
  /** Absent: the account has no such entry, although there was enough time. */
  found?: { entry: CreditEntry; connectionId: string } | undefined;
  /** The case that has the entry of this credit. */
  joined?: string | undefined;
  decideWithinMs: number;
}

/** What the provider reported about a credit. Any text may name a person. */
export interface CreditReport {
  uid: string;
  accountUid: string;
  /** Cents. */
  amount: number;
  receivedAt: Instant;
  description?: string | undefined;
  /** The sender's words: an end-to-end identification, or a lodgement reference. */
  reference?: string | undefined;
  payerName?: string | undefined;
  payerAccount?: string | undefined;
}

/** The credit in a notification. Undefined if an id is unusable, or the amount is no credit: an operator then reads the notification. */
export function creditIn({ type, id, detail, publishedAt }: Fact): CreditReport | undefined {
  if (type !== UNMATCHED_CREDIT || !isUid(id)) return undefined;
  const accountUid = at(detail, 'creditor', 'id');
  const amount = at(detail, 'amount');
  if (!isUid(accountUid) || typeof amount !== 'number' || !Number.isSafeInteger(amount) || amount <= 0)
    return undefined;
  const received = text(at(detail, 'received_at'));
  const receivedMs = Date.parse(received ?? '');
  return {
    ...{ uid: id, accountUid, amount },
    receivedAt: Number.isNaN(receivedMs) ? publishedAt : new Date(receivedMs).toISOString(),
    description: text(at(detail, 'description')) ?? text(at(detail, 'debtor', 'description')),
    reference: text(at(detail, 'debtor', 'reference')),
    payerName: text(at(detail, 'debtor', 'party_name')),
    payerAccount: text(at(detail, 'debtor', 'account_identifier', 'value')),
  };
}

const at = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>(
    (inner, name) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, name) : undefined),
    value,
  );

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

const WORD = /[A-Za-z0-9_~.-]{1,64}/g;
const MOST_WORDS = 40;

/** The words of a text that may be uids, as a payer or the provider wrote them. */
export const uidsIn = (...texts: readonly (string | undefined)[]): string[] =>
  [
    ...new Set(
      texts
        .flatMap((one) => one?.match(WORD) ?? [])
        .flatMap((word) => [word, word.replace(/(?<![.-])[.-]+$/, '')])
        .filter((word) => isUid(word)),
    ),
  ].slice(0, MOST_WORDS);
