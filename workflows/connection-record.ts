// What a connection workflow remembers, and what that asks it to do next. Plain JSON and pure.
import { lower, raise } from '../domain/legible.js';
import type { Instant } from '../domain/fact.js';
import type { Attention, Awaiting } from '../domain/legible.js';

/** A round of consent is open for ten minutes. */
export const CONSENT_MS = 10 * 60 * 1000;
/** How long a refresh whose answer was lost may still come in by signal. */
export const LATE_SUCCESS_MS = 90 * 1000;
/** Seconds after consent at which those who wait for it are woken: a list of them may lag behind. */
export const WAKE_AT_SECONDS = [0, 5, 30, 120] as const;

/** A generation of tokens as it is kept: sealed, so that no history ever holds a token in clear. */
export interface SealedTokens {
  generation: number;
  expiresAt: Instant;
  /** When it is wise to ask for the next one: 80 to 90 % of its life. */
  refreshAt: Instant;
  scope: string;
  sealedAccess: string;
  sealedRefresh: string;
}

export type ConnectionStatus = 'awaiting_consent' | 'healthy' | 'needs_reauthorisation';

export interface ConnectionRecord {
  id: string;
  status: ConnectionStatus;
  tokens?: SealedTokens | undefined;
  /** The newest round of consent, and whether it has been used. */
  consent: { round: number; expiresAt: Instant; isUsed: boolean };
  /** A generation beyond this one has been asked for. */
  wantedBeyond: number;
  /** How often in a row a refresh has failed for this generation, and when it may be tried again. */
  failures: number;
  retryAt?: Instant | undefined;
  /** Consent has been given, and those who wait for it have not been told. */
  isWakeDue: boolean;
  awaiting: Awaiting;
  attention: Attention[];
  createdAt: Instant;
  lastFailure?: { at: Instant; code: string; detail: string } | undefined;
}

export type ConnectionStep =
  | { do: 'refresh'; generation: number }
  | { do: 'pause'; until: Instant }
  | { do: 'wake' }
  | { do: 'await_consent' }
  | { do: 'rest' };

export const newConnection = (id: string, now: Instant): ConnectionRecord => ({
  id,
  status: 'awaiting_consent',
  consent: { round: 0, expiresAt: now, isUsed: true },
  wantedBeyond: 0,
  failures: 0,
  isWakeDue: false,
  awaiting: { what: 'consent', since: now },
  attention: [],
  createdAt: now,
});

export const generationOf = ({ tokens }: ConnectionRecord): number => tokens?.generation ?? 0;

/** What should be going on now: refresh on demand only, one at a time, and tell those who wait. */
export function nextConnectionStep(record: ConnectionRecord): ConnectionStep {
  if (record.status !== 'healthy') return { do: 'await_consent' };
  const generation = generationOf(record);
  if (record.wantedBeyond >= generation) {
    return record.retryAt === undefined
      ? { do: 'refresh', generation }
      : { do: 'pause', until: record.retryAt };
  }
  return record.isWakeDue ? { do: 'wake' } : { do: 'rest' };
}

/** The generation that a consent brings: beyond any that a refresh which is still on its way can bring. */
export const consentedGeneration = (record: ConnectionRecord): number =>
  record.tokens === undefined ? 1 : record.tokens.generation + CONSENT_STRIDE;
const CONSENT_STRIDE = 100;

/**
 * A new generation. One that is not newer than what is known is a late echo and changes nothing; one that comes
 * after the grant was given up for lost shows that it is not.
 */
export function withTokens(record: ConnectionRecord, tokens: SealedTokens): ConnectionRecord {
  if (tokens.generation <= generationOf(record)) return record;
  const attention = lower(lower(record.attention, 'needs_reauthorisation'), 'forbidden');
  const isWakeDue = record.isWakeDue || record.status !== 'healthy';
  const known = { failures: 0, retryAt: undefined, lastFailure: undefined, attention, isWakeDue };
  return { ...record, ...known, tokens, status: 'healthy' };
}

/** A person has consented: those who waited may go on. */
export const withConsent = (record: ConnectionRecord, tokens: SealedTokens): ConnectionRecord => ({
  ...withTokens(record, tokens),
  isWakeDue: true,
  wantedBeyond: 0,
});

/** What went wrong last. A consent that fails says nothing of the tokens that stand. */
export const withNote = (record: ConnectionRecord, at: Instant, code: string): ConnectionRecord => ({
  ...record,
  lastFailure: { at, code, detail: FAILURES[code] ?? 'The authorisation server gave no clear answer.' },
});

/** A refresh had no clear answer: it is tried again at once, as nothing is to lose, and then ever more slowly. */
export function withFailedRefresh(record: ConnectionRecord, now: Instant, code: string): ConnectionRecord {
  const noted = withNote(record, now, code);
  const failures = record.failures + 1;
  const seconds = RETRY_AFTER_SECONDS[Math.min(failures, RETRY_AFTER_SECONDS.length) - 1] ?? 0;
  const retryAt = seconds === 0 ? undefined : new Date(Date.parse(now) + seconds * 1000).toISOString();
  const failed = { ...noted, failures, retryAt };
  return failures < FLAGGED_FROM
    ? failed
    : { ...failed, attention: raise(failed.attention, inTrouble(failed, now)) };
}

/** Seconds before a refresh is tried again, by how often it has failed in a row. */
const RETRY_AFTER_SECONDS = [0, 5, 15, 60, 300] as const;
/** From this many failures on a person should know. */
const FLAGGED_FROM = 4;

const inTrouble = ({ lastFailure }: ConnectionRecord, since: Instant): Attention => ({
  code: 'forbidden',
  since,
  detail: `The access token cannot be renewed. ${lastFailure?.detail ?? ''}`,
  next: 'See what the authorisation server says in the failed activities; it is asked again every five minutes.',
});

const FAILURES: Readonly<Record<string, string>> = {
  grant_refused: 'The authorisation server does not accept the grant any more.',
  client_refused: 'The authorisation server does not accept OAUTH_CLIENT_ID and OAUTH_CLIENT_SECRET.',
  rate_limited: 'The authorisation server asks us to slow down.',
};

/** The grant is lost: only a person's consent helps. */
export function withGrantLost(record: ConnectionRecord, since: Instant): ConnectionRecord {
  const flag = {
    code: 'needs_reauthorisation',
    since,
    detail:
      'The provider does not accept our grant any more. Agreements of this connection wait; none is lost.',
    next: 'Ask the merchant to consent again: POST /v1/connections/{id}/reauthorisation answers the link.',
  } as const;
  return { ...record, status: 'needs_reauthorisation', attention: raise(record.attention, flag) };
}
