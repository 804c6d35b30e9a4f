// What a connection workflow remembers, and what that asks it to do next. Plain JSON and pure.
import { healed, inTrouble, isToBeFlagged, lost, meaningOf, pauseBeforeMs, perhapsLost, restate } from './failure.js'; // prettier-ignore
import type { Instant } from '../../domain/fact.js';
import type { Attention, Awaiting } from '../../domain/legible.js';
import type { CallFailure } from '../entity/call-failure.js';

/** How long a refresh whose answer was lost may still come in by signal. */
export const LATE_SUCCESS_MS = 90 * 1000;
/** Seconds after consent at which those who wait for it are woken: a list of them may lag behind. */
export const WAKE_AT_SECONDS = [0, 5, 30, 120] as const;

/** Who has begun to wait this long before the consent, or since, may have been missing from the first list, which may lag. */
export const LATE_COMERS_MS = 10 * 60 * 1000;

/** A generation of tokens as it is kept: sealed, so that no history ever holds a token in clear. */
export interface SealedTokens {
  generation: number;
  expiresAt: Instant;
  /** When it is wise to ask for the next one: 80 to 90 % of its life. */
  refreshAt: Instant;
  scope: string;
  sealedAccess: string;
  sealedRefresh: string;
  /** When the connection was begun whose token was renewed; absent of a consent, and of renewals of before it was said. */
  life?: Instant | undefined;
}

export type ConnectionStatus = 'awaiting_consent' | 'healthy' | 'needs_reauthorisation';

export interface ConnectionRecord {
  id: string;
  status: ConnectionStatus;
  tokens?: SealedTokens | undefined;
  /** Tokens were given up by us: whatever comes of a generation up to this one is of a grant that we want no more. */
  revokedUpTo?: number | undefined;
  /**
   * The newest round of consent, and whether it has been used. The generation is the highest that a consent was given,
   * whatever has become of it; runs of before it was remembered have none.
   */
  consent: {
    round: number;
    expiresAt: Instant;
    isUsed: boolean;
    generation?: number | undefined;
    /** By which the caller would know it again, where the round was opened with one. */
    key?: string | undefined;
  };
  /** A generation beyond this one has been asked for. */
  wantedBeyond: number;
  /** How often in a row a refresh has failed for this generation, and when it may be tried again. */
  failures: number;
  retryAt?: Instant | undefined;
  /** Consent has been given, and those who wait for it have not been told. */
  isWakeDue: boolean;
  /** Counts the consents that came while that was due, so that each has a wake of its own. */
  wakes?: number | undefined;
  awaiting: Awaiting;
  attention: Attention[];
  createdAt: Instant;
  lastFailure?: { at: Instant; code: string; detail: string } | undefined;
}

export type ConnectionStep =
  | { do: 'refresh'; generation: number }
  | { do: 'pause'; until: Instant }
  | { do: 'wake'; wakes?: number }
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
  if (!record.isWakeDue) return { do: 'rest' };
  return { do: 'wake', ...(record.wakes !== undefined && { wakes: record.wakes }) };
}

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

/**
 * A refresh has succeeded. A server that leaves the scope out means that it is what it was (RFC 6749, 5.1); of a consent it
 * would mean that it is what was asked for.
 */
export const withRenewal = (record: ConnectionRecord, tokens: SealedTokens): ConnectionRecord =>
  withTokens(record, { ...tokens, scope: tokens.scope || (record.tokens?.scope ?? '') });

/** A pair of a connection that has ended, and whose id this one has now. */
export const isOfAnotherLife = (
  { createdAt }: Pick<ConnectionRecord, 'createdAt'>,
  { life = createdAt }: Pick<SealedTokens, 'life'>,
): boolean => life !== createdAt;

/** What went wrong last. */
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
