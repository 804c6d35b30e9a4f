// What a connection workflow remembers, and what that asks it to do next. Plain JSON and pure.
import { healed, inTrouble, isToBeFlagged, lost, meaningOf, pauseBeforeMs, perhapsLost, restate, revoked } from './connection-failure.js'; // prettier-ignore
import type { Instant } from '../domain/fact.js';
import type { Attention, Awaiting } from '../domain/legible.js';
import type { CallFailure } from './call-failure.js';
import type { Revocation } from './connection-failure.js';

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
  /** Tokens were given up by us: whatever comes of a generation up to this one is of a grant that we want no more. */
  revokedUpTo?: number | undefined;
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
export const consentedGeneration = ({ tokens, revokedUpTo = 0 }: ConnectionRecord): number =>
  tokens === undefined ? revokedUpTo + 1 : tokens.generation + CONSENT_STRIDE;
const CONSENT_STRIDE = 100;

/** Whether tokens of this generation are of a grant that we have given up. */
export const isGivenUp = ({ revokedUpTo = 0 }: ConnectionRecord, generation: number): boolean =>
  generation <= revokedUpTo;

/**
 * A new generation. One that is not newer than what is known is a late echo and changes nothing; one that comes
 * after the grant was given up for lost shows that it is not. What we gave up ourselves stays given up.
 */
export function withTokens(record: ConnectionRecord, tokens: SealedTokens): ConnectionRecord {
  if (tokens.generation <= generationOf(record) || isGivenUp(record, tokens.generation)) return record;
  const attention = healed(record.attention);
  const isWakeDue = record.isWakeDue || record.status !== 'healthy';
  const known = { failures: 0, retryAt: undefined, lastFailure: undefined, attention, isWakeDue };
  return { ...record, ...known, tokens, status: 'healthy' };
}

/** A person has consented: those who waited may go on. A consent that a revocation of ours has overtaken changes nothing. */
export const withConsent = (record: ConnectionRecord, tokens: SealedTokens): ConnectionRecord =>
  isGivenUp(record, tokens.generation)
    ? record
    : { ...withTokens(record, tokens), isWakeDue: true, wantedBeyond: 0 };

/** What went wrong last. A consent that fails says nothing of the tokens that stand. */
export const withNote = (record: ConnectionRecord, at: Instant, code: string): ConnectionRecord => ({
  ...record,
  lastFailure: { at, code, detail: meaningOf(code) },
});

/**
 * A refresh had no clear answer: it is tried again, at once and then ever more slowly.
 * @param atOnce see isToBeFlagged
 */
export function withFailedRefresh(
  record: ConnectionRecord,
  now: Instant,
  { code, retryAfterMs }: Pick<CallFailure, 'code' | 'retryAfterMs'>,
  atOnce: boolean,
): ConnectionRecord {
  const failures = record.failures + 1;
  const pauseMs = pauseBeforeMs(failures, retryAfterMs);
  const retryAt = pauseMs === 0 ? undefined : new Date(Date.parse(now) + pauseMs).toISOString();
  const failed = { ...withNote(record, now, code), failures, retryAt };
  if (!isToBeFlagged(failures, code, atOnce)) return failed;
  return { ...failed, attention: restate(failed.attention, inTrouble(code, now)) };
}

/** The grant was refused: whoever can do something about it should know now, and not once hope is gone. */
export const withGrantRefused = (record: ConnectionRecord, now: Instant, code: string): ConnectionRecord => ({
  ...withNote(record, now, code),
  attention: restate(record.attention, perhapsLost(record.id, now)),
});

/** The grant is lost: only a person's consent helps. */
export const withGrantLost = (record: ConnectionRecord, now: Instant): ConnectionRecord => ({
  ...record,
  status: 'needs_reauthorisation',
  attention: restate(record.attention, lost(record.id, now)),
});

/**
 * We want the grant no more: nothing is kept of it, nothing that is still on its way revives it, and links that were given
 * out are good no more. A new consent heals it.
 */
export const withRevocation = (
  record: ConnectionRecord,
  now: Instant,
  revocation: Revocation,
): ConnectionRecord => ({
  ...record,
  status: 'needs_reauthorisation',
  tokens: undefined,
  revokedUpTo: consentedGeneration(record),
  consent: { ...record.consent, isUsed: true },
  wantedBeyond: 0,
  failures: 0,
  retryAt: undefined,
  isWakeDue: false,
  attention: restate(healed(record.attention), revoked(record.id, now, revocation)),
});
