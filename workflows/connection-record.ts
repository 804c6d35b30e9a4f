// What a connection workflow remembers, and what that asks it to do next. Plain JSON and pure.
import { lower, raise } from '../domain/legible.js';
import type { Instant } from '../domain/fact.js';
import type { Attention, Awaiting } from '../domain/legible.js';

/** A round of consent is open for ten minutes. */
export const CONSENT_MS = 10 * 60 * 1000;
/** How long a refresh whose answer was lost may still come in by signal. */
export const LATE_SUCCESS_MS = 90 * 1000;
/** Seconds after consent at which those who wait for it are woken: a list of them may lag behind. */
export const WAKE_AT_SECONDS = [0, 5, 30] as const;

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
  /** How often in a row a refresh has failed for this generation. */
  failures: number;
  /** Consent has been given, and those who wait for it have not been told. */
  isWakeDue: boolean;
  awaiting: Awaiting;
  attention: Attention[];
  createdAt: Instant;
  lastFailure?: { at: Instant; code: string; detail: string } | undefined;
}

export type ConnectionStep =
  | { do: 'refresh'; generation: number; failures: number }
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
  if (record.wantedBeyond >= generation) return { do: 'refresh', generation, failures: record.failures };
  return record.isWakeDue ? { do: 'wake' } : { do: 'rest' };
}

/** A new generation. One that is not newer than what is known is a late echo and changes nothing. */
export function withTokens(record: ConnectionRecord, tokens: SealedTokens): ConnectionRecord {
  if (tokens.generation <= generationOf(record)) return record;
  return { ...record, tokens, failures: 0, lastFailure: undefined };
}

/** A person has consented: those who waited may go on. */
export function withConsent(record: ConnectionRecord, tokens: SealedTokens): ConnectionRecord {
  const attention = lower(lower(record.attention, 'needs_reauthorisation'), 'forbidden');
  return { ...withTokens(record, tokens), status: 'healthy', isWakeDue: true, wantedBeyond: 0, attention };
}

export function withFailure(record: ConnectionRecord, at: Instant, code: string): ConnectionRecord {
  const detail = FAILURES[code] ?? 'The authorisation server gave no clear answer.';
  return { ...record, failures: record.failures + 1, lastFailure: { at, code, detail } };
}

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
