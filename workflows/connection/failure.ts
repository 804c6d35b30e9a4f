// What a token call that failed amounts to: how long to wait, and what an operator reads. Plain JSON and pure.
import { lower, raise } from '../../domain/attention/flags.js';
import type { CallCode } from '../../domain/provider/call-codes.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { Attention, AttentionCode } from '../../domain/attention/flags.js';

/** Seconds before a refresh is tried again, by how often it has failed in a row: at once at first, as nothing is to lose. */
const AGAIN_AFTER_SECONDS = [0, 5, 15, 60, 300] as const;
/** A server that asks for a longer pause than this is asked sooner all the same: tokens end meanwhile. */
const LONGEST_PAUSE_MS = 10 * 60 * 1000;
/** From so many failures in a row on an operator should know. */
const FLAGGED_FROM = 4;

/** Milliseconds before the next attempt: our own interval, or longer where the server, or the call before it, asks for that. */
export function pauseBeforeMs(failures: number, requestedMs = 0): number {
  const rung = AGAIN_AFTER_SECONDS[Math.min(failures, AGAIN_AFTER_SECONDS.length) - 1] ?? 0;
  return Math.max(rung * 1000, Math.min(requestedMs, LONGEST_PAUSE_MS));
}

const WHAT_IT_MEANS: Readonly<Partial<Record<CallCode, string>>> = {
  grant_refused: 'The authorisation server does not accept the grant any more.',
  client_refused: 'The authorisation server does not accept OAUTH_CLIENT_ID and OAUTH_CLIENT_SECRET.',
  rate_limited: 'The authorisation server asks us to slow down.',
  SealError: 'What is kept of the grant cannot be opened with ENCRYPTION_KEYS.',
};
export const meaningOf = (code: CallCode): string =>
  WHAT_IT_MEANS[code] ?? 'The authorisation server gave no clear answer.';

/** Why a consent came to nothing: a code for callers, words for a person. */
export interface FailedConsent {
  code: string;
  detail: string;
}

/** By what the exchange failed with. None says anything of the tokens that stand. */
const WHY_NO_CONSENT: Readonly<Record<string, FailedConsent>> = {
  grant_refused: {
    code: 'code_refused',
    detail:
      'The authorisation server refused the code of a consent: used before, too old, or of another link.',
  },
  client_refused: {
    code: 'client_refused',
    detail:
      'The authorisation server does not accept OAUTH_CLIENT_ID and OAUTH_CLIENT_SECRET, and exchanged no code.',
  },
  rejected: {
    code: 'rejected',
    detail: 'The authorisation server found fault with our request, and exchanged no code.',
  },
  rate_limited: {
    code: 'rate_limited',
    detail: 'The authorisation server asked us to slow down, and exchanged no code.',
  },
  other_account: {
    code: 'other_account',
    detail:
      'A consent came from another account than the one that this connection belongs to, and was not taken.',
  },
  SealError: {
    code: 'SealError',
    detail: 'The code of a consent cannot be opened with ENCRYPTION_KEYS.',
  },
};
export const failedConsent = (code: string): FailedConsent =>
  WHY_NO_CONSENT[code] ?? {
    code,
    detail:
      'The authorisation server gave no clear answer to the code of a consent, which may be used up by now.',
  };

/** What only we can mend: the grant is as good as it was, and no one needs to consent. */
const OURS_TO_MEND: Readonly<Partial<Record<CallCode, string>>> = {
  client_refused:
    'Set OAUTH_CLIENT_ID and OAUTH_CLIENT_SECRET of the workers as registered and restart them. The grant is not lost: ' +
    'the token is asked for again within five minutes, and no new consent is needed.',
  SealError:
    'Give the workers back the key that ENCRYPTION_KEYS had when the tokens were sealed, and restart them. The grant is not ' +
    'lost: the token is asked for again within five minutes.',
};
const FOR_ANY_OTHER =
  'See what the authorisation server says in the failed activities; it is asked again every five minutes.';

/** The flag for a token that cannot be renewed, once it is time for one. */
export const inTrouble = (code: CallCode, since: Instant): Attention => ({
  code: 'forbidden',
  since,
  detail: `The access token cannot be renewed. ${meaningOf(code)}`,
  next: OURS_TO_MEND[code] ?? FOR_ANY_OTHER,
});

/** Whether an operator should know by now: what only an operator can mend need not fail more than once. */
export const isToBeFlagged = (failures: number, code: CallCode): boolean =>
  failures >= FLAGGED_FROM || OURS_TO_MEND[code] !== undefined;

const CONSENT_AGAIN = 'Ask the merchant to consent again: the link is the answer to';
const reauthorisation = (id: string): string => `POST /v1/connections/${id}/reauthorisation`;

/** The grant was refused; only what is still on its way to us could show that it stands. */
export const perhapsLost = (id: string, since: Instant): Attention => ({
  code: 'needs_reauthorisation',
  since,
  detail:
    'The provider has refused our grant. For ninety seconds a renewal that was made before may still come in; then the ' +
    'grant counts as lost. Agreements of this connection wait; none is lost.',
  next: `${CONSENT_AGAIN} ${reauthorisation(id)}.`,
});

export const lost = (id: string, since: Instant): Attention => ({
  code: 'needs_reauthorisation',
  since,
  detail:
    'The provider does not accept our grant any more. Agreements of this connection wait; none is lost.',
  next: `${CONSENT_AGAIN} ${reauthorisation(id)}.`,
});

/** By the hashes of the accounts: no name of a merchant is kept. */
export const otherAccount = (
  id: string,
  since: Instant,
  [bound, consenting]: [string, string],
): Attention => ({
  code: 'other_account',
  since,
  detail: `The account ${consenting} has consented, where the connection belongs to ${bound}. What stood before stands.`,
  next:
    `Where that was a mistake: have the merchant consent with the right account. The link is the answer to ${reauthorisation(id)}; ` +
    'where the account has changed, with {"accept_other_account": true, "reason": "…"} and a key of the scope operate.',
});

/** How the check of an unconfirmed pair stands. `lost`: its grant was refused before the provider had answered. */
export const CHECK_PROGRESS = ['checking', 'expired', 'not_shown', 'lost'] as const;
export type CheckProgress = (typeof CHECK_PROGRESS)[number];

/** What a reader learns of each, before and beside any flag. */
export const CHECK_IN_WORDS: Readonly<Record<CheckProgress, string>> = {
  checking: 'The account of the newest consent is not confirmed yet: checking.',
  expired:
    'The account of the newest consent is not confirmed yet: checking, once its access token is refreshed.',
  not_shown: 'The account of the newest consent is not confirmed: the provider does not show it.',
  lost: 'The account of the newest consent was not confirmed before its grant ended.',
};
export const CHECK_FAILED = 'The provider did not answer which account has consented. The check is repeated.';

/** @param progress decides what an operator can do: wait for the provider, or have the merchant consent again. */
export function unconfirmed(id: string, since: Instant, progress: CheckProgress): Attention {
  const isChecking = progress === 'checking' || progress === 'expired';
  return {
    code: 'account_unconfirmed',
    since,
    detail: `${CHECK_IN_WORDS[progress]} Its tokens are used for no other call. What stood before stands.`,
    next: isChecking
      ? "See why the activity checkAccount or refreshTokens fails in Temporal's UI, and ask the provider why GET /user fails. The " +
        'check is repeated, and the consent is taken or refused by its answer.'
      : `${CONSENT_AGAIN} ${reauthorisation(id)}. Where the provider shows no account any more, ask with ` +
        '{"accept_other_account": true, "reason": "…"} and a key of the scope operate.',
  };
}

/** Who had the tokens forgotten, and why. */
export interface Revocation {
  by: string;
  reason: string;
}

export const revoked = (id: string, since: Instant, { by, reason }: Revocation): Attention => ({
  code: 'needs_reauthorisation',
  since,
  detail: `Our tokens were given up by ${by}: ${reason.replace(/\.?$/, '.')} Agreements of this connection wait; none is lost.`,
  next:
    'The provider documents no call that would revoke its side: there the merchant takes back the consent, or changes the ' +
    `application's secret. To connect again: ${reauthorisation(id)}.`,
});

/** The list with this flag in these words, whatever they were before; one that stands already keeps its date. */
export function restate(list: readonly Attention[], flag: Attention): Attention[] {
  const since = list.find(({ code }) => code === flag.code)?.since ?? flag.since;
  return raise(lower(list, flag.code), { ...flag, since });
}

/** What a good token ends. */
const HEALED: readonly AttentionCode[] = ['needs_reauthorisation', 'forbidden'];
export const healed = (list: readonly Attention[]): Attention[] =>
  HEALED.reduce<Attention[]>(lower, [...list]);
