// Failed token calls: the pause before a retry, and the texts for operators. Plain JSON and pure.
import { lower, raise, type Attention, type AttentionCode } from '../../domain/attention/flags.js';
import type { CallCode } from '../../domain/provider/call-codes.js';
import type { Instant } from '../../domain/facts/fact.js';

/** Seconds before a refresh is retried, by its number of consecutive failures. The first retry is immediate, because it risks nothing. */
const AGAIN_AFTER_SECONDS = [0, 5, 15, 60, 300] as const;
/** The longest pause that we accept from a server. Tokens expire in the meantime. */
const LONGEST_PAUSE_MS = 10 * 60 * 1000;
/** The number of consecutive failures that raises a flag. */
const FLAGGED_FROM = 4;

/** Milliseconds before the next attempt: our own interval, or longer if the server or the previous call requires it. */
export function pauseBeforeMs(failures: number, requestedMs = 0): number {
  const rung = AGAIN_AFTER_SECONDS[Math.min(failures, AGAIN_AFTER_SECONDS.length) - 1] ?? 0;
  return Math.max(rung * 1000, Math.min(requestedMs, LONGEST_PAUSE_MS));
}

const WHAT_IT_MEANS: Readonly<Partial<Record<CallCode, string>>> = {
  grant_refused: 'The authorisation server no longer accepts the grant.',
  client_refused: 'The authorisation server does not accept OAUTH_CLIENT_ID and OAUTH_CLIENT_SECRET.',
  rate_limited: 'The authorisation server limits the rate of our requests.',
  SealError: 'The stored grant cannot be decrypted with TOKEN_KEYS.',
};
export const meaningOf = (code: CallCode): string =>
  WHAT_IT_MEANS[code] ?? 'The authorisation server gave no clear answer.';

/** Why a consent failed: a code for callers, text for people. */
export interface FailedConsent {
  code: string;
  detail: string;
}

/** The texts by the code of the failure. None of these failures affects the current tokens. */
const WHY_NO_CONSENT: Readonly<Record<string, FailedConsent>> = {
  grant_refused: {
    code: 'code_refused',
    detail:
      'The authorisation server refused the code of a consent: it was already used, has expired, or belongs to another link.',
  },
  client_refused: {
    code: 'client_refused',
    detail:
      'The authorisation server does not accept OAUTH_CLIENT_ID and OAUTH_CLIENT_SECRET, so it did not exchange the code.',
  },
  rejected: {
    code: 'rejected',
    detail: 'The authorisation server rejected our token request and did not exchange the code.',
  },
  rate_limited: {
    code: 'rate_limited',
    detail: 'The authorisation server limited the rate of our requests and did not exchange the code.',
  },
  other_account: {
    code: 'other_account',
    detail:
      'The consent came from another account than the one this connection belongs to, so it was not accepted.',
  },
  SealError: {
    code: 'SealError',
    detail:
      'The code of a consent cannot be decrypted with TOKEN_KEYS of the workers. TOKEN_PUBLIC_KEY of the API must belong to one of these keys.',
  },
};
export const failedConsent = (code: string): FailedConsent =>
  WHY_NO_CONSENT[code] ?? {
    code,
    detail:
      'The authorisation server gave no clear answer to the code of a consent. The code may be used up.',
  };

/** Failures that only we can fix. The grant stays valid, and no new consent is needed. */
const OURS_TO_MEND: Readonly<Partial<Record<CallCode, string>>> = {
  client_refused:
    'Set OAUTH_CLIENT_ID and OAUTH_CLIENT_SECRET of the workers to the registered values and restart them. The grant is not lost: ' +
    'we retry the refresh within five minutes, and no new consent is needed.',
  SealError:
    'Add the key that sealed the tokens to TOKEN_KEYS of the workers again, and restart them. The grant is not ' +
    'lost: we retry the refresh within five minutes.',
};
const FOR_ANY_OTHER =
  'Find the answers of the authorisation server in the failed activities. We retry every five minutes.';

/** The flag for a token that is due for refresh but cannot be refreshed. */
export const inTrouble = (code: CallCode, since: Instant): Attention => ({
  code: 'forbidden',
  since,
  detail: `The access token cannot be refreshed. ${meaningOf(code)}`,
  next: OURS_TO_MEND[code] ?? FOR_ANY_OTHER,
});

/** Whether an operator should know now. If only an operator can fix it, one failure is enough. */
export const isToBeFlagged = (failures: number, code: CallCode): boolean =>
  failures >= FLAGGED_FROM || OURS_TO_MEND[code] !== undefined;

const CONSENT_AGAIN = 'Have the merchant consent again, with the link from';
const reauthorisation = (id: string): string => `POST /v1/connections/${id}/reauthorisation`;

/** The grant was refused. Only an earlier refresh whose result is still in flight could show that it is valid. */
export const perhapsLost = (id: string, since: Instant): Attention => ({
  code: 'needs_reauthorisation',
  since,
  detail:
    'The provider refused our grant. The result of an earlier refresh may still arrive within 90 seconds. Otherwise the ' +
    'grant counts as lost. Agreements of this connection wait; nothing is lost.',
  next: `${CONSENT_AGAIN} ${reauthorisation(id)}.`,
});

export const lost = (id: string, since: Instant): Attention => ({
  code: 'needs_reauthorisation',
  since,
  detail: 'The provider no longer accepts our grant. Agreements of this connection wait; nothing is lost.',
  next: `${CONSENT_AGAIN} ${reauthorisation(id)}.`,
});

/** Contains the hashes of the accounts, because we store no merchant names. */
export const otherAccount = (
  id: string,
  since: Instant,
  [bound, consenting]: [string, string],
): Attention => ({
  code: 'other_account',
  since,
  detail: `The account ${consenting} consented, but the connection belongs to ${bound}. The previous grant was not changed.`,
  next:
    `If that was a mistake, have the merchant consent with the right account, using the link from ${reauthorisation(id)}. ` +
    'If the account has changed, make this call with {"accept_other_account": true, "reason": "…"} and an API key with the scope operate.',
});

/** The progress of the check of an unconfirmed pair. `to_confirm`: a person decides. `lost`: its grant was refused before the provider answered. */
export const CHECK_PROGRESS = ['checking', 'expired', 'not_shown', 'to_confirm', 'lost'] as const;
export type CheckProgress = (typeof CHECK_PROGRESS)[number];

/** The text for each progress, in views and flags. */
export const CHECK_IN_WORDS: Readonly<Record<CheckProgress, string>> = {
  checking: 'The account of the latest consent is not confirmed yet. We are checking it.',
  expired:
    'The account of the latest consent is not confirmed yet. We check it after refreshing its access token.',
  not_shown: 'The account of the latest consent is not confirmed, because the provider does not show it.',
  to_confirm: "The latest consent waits until a person confirms that its account is the merchant's.",
  lost: 'The grant of the latest consent ended before its account was confirmed.',
};
export const CHECK_FAILED = 'The provider did not answer which account consented. We retry the check.';

/** @param pair its progress decides the advice: confirm, wait for the provider, or have the merchant consent again. */
export function unconfirmed(
  id: string,
  since: Instant,
  { progress, account = 'unknown' }: { progress: CheckProgress; account?: string | undefined },
): Attention {
  if (progress === 'to_confirm')
    return {
      code: 'account_unconfirmed',
      since,
      detail: `The account ${account} consented, as the first one of this connection. Its tokens are used for nothing until it is confirmed.`,
      next:
        `If this is the merchant's account, call POST /v1/connections/${id}/confirmation with its nickname and ABN, or with "account": ` +
        `"${account}" if the merchant confirmed it to you in another way. Otherwise call POST /v1/connections/${id}/revocation.`,
    };
  const isChecking = progress === 'checking' || progress === 'expired';
  return {
    code: 'account_unconfirmed',
    since,
    detail: `${CHECK_IN_WORDS[progress]} Its tokens are used for no other call. The previous grant was not changed.`,
    next: isChecking
      ? "Find out in Temporal's UI why the activity checkAccount or refreshTokens fails, and ask the provider why GET /user fails. " +
        'We retry the check. Its answer decides whether the consent is accepted.'
      : `${CONSENT_AGAIN} ${reauthorisation(id)}. If the provider no longer shows an account, make this call with ` +
        '{"accept_other_account": true, "reason": "…"} and an API key with the scope operate.',
  };
}

/** Who revoked the tokens, and why. */
export interface Revocation {
  by: string;
  reason: string;
}

export const revoked = (id: string, since: Instant, { by, reason }: Revocation): Attention => ({
  code: 'needs_reauthorisation',
  since,
  detail: `${by} revoked our tokens: ${reason.replace(/\.?$/, '.')} Agreements of this connection wait; nothing is lost.`,
  next:
    'The provider documents no call that revokes its side. At the provider, the merchant withdraws the consent or changes the ' +
    `application's secret. To connect again: ${reauthorisation(id)}.`,
});

/** Raises a flag, or replaces its text and keeps its date if it is already raised. */
export function restate(list: readonly Attention[], flag: Attention): Attention[] {
  const since = list.find(({ code }) => code === flag.code)?.since ?? flag.since;
  return raise(lower(list, flag.code), { ...flag, since });
}

/** Flags that a valid token lowers. */
const HEALED: readonly AttentionCode[] = ['needs_reauthorisation', 'forbidden', 'refresh_token_missing'];
export const healed = (list: readonly Attention[]): Attention[] =>
  HEALED.reduce<Attention[]>(lower, [...list]);

/**
 * The flags beside a new pair.
 * @param refreshKeptAt set if the pair has the refresh token of the previous one.
 */
export function withValidPair(
  list: readonly Attention[],
  id: string,
  refreshKeptAt: Instant | undefined,
): Attention[] {
  if (refreshKeptAt === undefined) return healed(list);
  const since = list.find(({ code }) => code === 'refresh_token_missing')?.since ?? refreshKeptAt;
  return raise(healed(list), refreshTokenMissing(id, since));
}

const refreshTokenMissing = (id: string, since: Instant): Attention => ({
  code: 'refresh_token_missing',
  since,
  detail:
    "The provider's last token answer had no refresh token, so we keep the previous one. The access token is valid, but the provider " +
    'may refuse the next refresh.',
  next:
    'Ask the provider whether a refresh token stays valid after its use. This flag lowers itself when an answer has a refresh token. ' +
    `If the next refresh is refused, have the merchant consent again, with the link from ${reauthorisation(id)}.`,
});
