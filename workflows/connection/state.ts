// The stored state of a connection, and how tokens, consents and failures change it. Plain JSON and pure.
import { lower, type Attention } from '../../domain/attention/flags.js';
import { CONSENT_STRIDE } from '../../domain/connection/generation.js';
import * as flags from './failure.js';
import type { CallCode } from '../../domain/provider/call-codes.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { Awaiting } from '../../domain/attention/awaiting.js';
import type { Recorded } from '../engine/recording.js';
import type { CallFailure } from '../engine/call-failure.js';
import type { Acceptance, Account } from './account.js';
import type { CheckProgress, FailedConsent, Revocation } from './failure.js';

/** How long the result of a refresh with a lost answer may still arrive by signal. */
const LATE_SUCCESS_MS = 90 * 1000;
/**
 * How long a token call may continue after Temporal has timed it out: its one minute, less the ten seconds without heartbeats that caused the
 * timeout. Its pair may still arrive by signal. A second call at the same time would spend the same token twice.
 */
export const SILENT_CALL_MS = 50 * 1000;
/** How long a round of consent is open. */
export const CONSENT_MS = 10 * 60 * 1000;

/** A generation of tokens, sealed so that no history ever contains an unencrypted token. */
export interface SealedTokens {
  generation: number;
  expiresAt: Instant;
  /** When to refresh it: after 80 to 90 % of its lifetime. */
  refreshAt: Instant;
  scope: string;
  sealedAccess: string;
  sealedRefresh: string;
  /** Set if the token answer had no refresh token, so that the pair has the previous one. */
  refreshKeptAt?: Instant | undefined;
  /** When the connection that refreshed it was created. Absent for a consent. */
  life?: Instant | undefined;
  /** This pair replaced an unconfirmed one. */
  isUnconfirmed?: true | undefined;
}

/** The result of a code exchange. */
export interface ConsentedTokens extends SealedTokens {
  /** The hash of the account that consented. Absent if the provider answered without one. */
  account?: string | undefined;
  /** The failure of the account check. The account is then unknown. */
  checkFailed?: CallCode | undefined;
}

/** A pair whose account is not confirmed (workflows/connection/unconfirmed.ts). */
export interface UnconfirmedPair {
  tokens: SealedTokens;
  /** Set if another account was allowed to consent in its round. */
  acceptance?: Acceptance | undefined;
  /** The account that a person must confirm (progress `to_confirm`). Absent if the provider shows none. */
  account?: string | undefined;
  since: Instant;
  progress: CheckProgress;
  /** How often in a row its refresh has failed. */
  failures: number;
  /** No call is made for it before this time. */
  retryAt?: Instant | undefined;
}

export const CONNECTION_STATUSES = ['awaiting_consent', 'healthy', 'needs_reauthorisation'] as const;
export type ConnectionStatus = (typeof CONNECTION_STATUSES)[number];

export interface ConnectionState extends Recorded {
  id: string;
  status: ConnectionStatus;
  tokens?: SealedTokens | undefined;
  /** The pair of a newer consent whose account is not confirmed. It is used only for the check. */
  unconfirmed?: UnconfirmedPair | undefined;
  /** The account of the merchant that consented. It stays after the tokens are gone. */
  account?: Account | undefined;
  /** The account that the first consent must come from, as its hash. */
  expectedAccount?: string | undefined;
  /** A person must confirm the first account, unless it is the expected one. */
  needsConfirmation?: boolean | undefined;
  /** We revoked the grant. Tokens of this generation or an earlier one are ignored. */
  revokedUpTo?: number | undefined;
  /** The newest round of consent. */
  consent: {
    round: number;
    expiresAt: Instant;
    isUsed: boolean;
    /** The hash of the cookie of the browser that used the link. Only this browser can complete the round. */
    browser?: string | undefined;
    /** The highest generation reserved for a consent, whatever its outcome. */
    generation?: number | undefined;
    /** The caller's key, if there is one. A repeat gets the same round. */
    key?: string | undefined;
    /** Another account may consent in this round. */
    acceptance?: Acceptance | undefined;
  };
  /** The newest generation whose refresh a caller requested; 0 if there is none. */
  refreshRequestedFor: number;
  /** How often in a row the refresh of this generation has failed, and when it may be retried. */
  failures: number;
  retryAt?: Instant | undefined;
  /** The server refused the grant. Until this time, the result of an earlier refresh may still arrive and show that it is valid. */
  lostAt?: Instant | undefined;
  /** Consent was given, and blocked workflows have not been signalled yet. */
  isResumeDue: boolean;
  /** Counts consents that arrived while that was due. Each gets its own round of signals. */
  resumptions?: number | undefined;
  awaiting: Awaiting;
  attention: Attention[];
  createdAt: Instant;
  lastFailure?: { at: Instant; code: string; detail: string } | undefined;
}

export const newConnection = (id: string, now: Instant): ConnectionState => ({
  id,
  status: 'awaiting_consent',
  consent: { round: 0, expiresAt: now, isUsed: true },
  refreshRequestedFor: 0,
  failures: 0,
  isResumeDue: false,
  awaiting: { what: 'consent', since: now },
  attention: [],
  createdAt: now,
});

/** 0 if there are no tokens. */
export const generationOf = ({ tokens }: ConnectionState): number => tokens?.generation ?? 0;

/** Whether we have revoked the grant of this generation. */
export const isGivenUp = ({ revokedUpTo = 0 }: ConnectionState, generation: number): boolean =>
  generation <= revokedUpTo;

/**
 * Stores a new generation. A repeat, an older or a revoked one changes nothing. One that arrives after the grant counted as lost shows that the grant
 * is valid.
 */
function storeTokens(state: ConnectionState, tokens: SealedTokens): ConnectionState {
  if (tokens.generation <= generationOf(state) || isGivenUp(state, tokens.generation)) return state;
  return {
    ...state,
    tokens,
    status: 'healthy',
    failures: 0,
    retryAt: undefined,
    lostAt: undefined,
    lastFailure: undefined,
    attention: flags.withValidPair(state.attention, state.id, tokens.refreshKeptAt),
    isResumeDue: state.isResumeDue || state.status !== 'healthy',
  };
}

/** A refresh succeeded. If the server omits the scope, it is unchanged (RFC 6749, 5.1). After a consent, it is the requested one. */
export const applyRefresh = (state: ConnectionState, tokens: SealedTokens): ConnectionState =>
  storeTokens(state, { ...tokens, scope: tokens.scope || (state.tokens?.scope ?? '') });

const applyProblem = (state: ConnectionState, at: Instant, code: CallCode): ConnectionState => ({
  ...state,
  lastFailure: { at, code, detail: flags.meaningOf(code) },
});

/**
 * A refresh of this generation failed. A refused grant may mean that an earlier attempt succeeded and its result is still in flight. An operator
 * should know at once anyway. Any other failure is retried with backoff. A call that timed out must have ended before that.
 */
export function applyFailedRefresh(
  state: ConnectionState,
  now: Instant,
  generation: number,
  { code, retryAfterMs, isTimedOut }: Pick<CallFailure, 'code' | 'retryAfterMs' | 'isTimedOut'>,
): ConnectionState {
  if (generationOf(state) > generation) return state;
  const noted = applyProblem(state, now, code);
  if (code === 'grant_refused') {
    const lostAt = later(now, LATE_SUCCESS_MS);
    return { ...noted, lostAt, attention: flags.restate(state.attention, flags.perhapsLost(state.id, now)) };
  }
  const failures = state.failures + 1;
  const pauseMs = flags.pauseBeforeMs(failures, isTimedOut === true ? SILENT_CALL_MS : retryAfterMs);
  const failed = { ...noted, failures, retryAt: pauseMs === 0 ? undefined : later(now, pauseMs) };
  if (!flags.isToBeFlagged(failures, code)) return failed;
  return { ...failed, attention: flags.restate(failed.attention, flags.inTrouble(code, now)) };
}

const later = (at: Instant, ms: number): Instant => new Date(Date.parse(at) + ms).toISOString();

/** The grant is lost. Only a new consent helps. */
export const markGrantLost = (state: ConnectionState, now: Instant): ConnectionState => ({
  ...applyProblem(state, now, 'grant_refused'),
  status: 'needs_reauthorisation',
  lostAt: undefined,
  attention: flags.restate(lower(state.attention, 'refresh_token_missing'), flags.lost(state.id, now)),
});

/** The generation for a new consent. It is higher than any that a refresh or another consent in flight can produce for a grant that is not revoked. */
export function consentedGeneration({ tokens, consent, revokedUpTo = 0 }: ConnectionState): number {
  const newest = Math.max(tokens?.generation ?? 0, consent.generation ?? 0);
  return newest > revokedUpTo ? newest + CONSENT_STRIDE : revokedUpTo + 1;
}

/** A link was used. Its consent is in flight, with this generation. */
export const markRoundUsed = (state: ConnectionState, generation: number): ConnectionState => ({
  ...state,
  consent: { ...state.consent, isUsed: true, generation },
});

/**
 * A person has consented, so blocked workflows may resume. A consent that was revoked or overtaken by a later one changes nothing. Workflows that
 * an earlier consent resumed may be blocked again, so all are signalled again.
 * @param account the connection's account from now on.
 */
export function applyConsent(
  state: ConnectionState,
  tokens: SealedTokens,
  account = state.account,
): ConnectionState {
  if (isGivenUp(state, tokens.generation) || isOvertaken(state, tokens)) return state;
  const resumptions = state.isResumeDue ? (state.resumptions ?? 0) + 1 : state.resumptions;
  const stored = storeTokens(state, tokens);
  const isOlder = (stored.unconfirmed?.tokens.generation ?? 0) <= tokens.generation;
  const taken = isOlder ? dropUnconfirmed(stored) : stored;
  const attention = lower(taken.attention, 'other_account');
  return { ...taken, account, attention, isResumeDue: true, refreshRequestedFor: 0, resumptions };
}

/** Deletes the unconfirmed pair, which was accepted, refused, revoked or overtaken. */
export const dropUnconfirmed = (state: ConnectionState): ConnectionState => ({
  ...state,
  unconfirmed: undefined,
  attention: lower(state.attention, 'account_unconfirmed'),
});

const isOvertaken = (state: ConnectionState, { generation }: SealedTokens): boolean =>
  generation < (state.consent.generation ?? 0) && generation < generationOf(state);

/** All blocked workflows were signalled for one consent, but not for one that arrived in the meantime. */
export const markResumed = (state: ConnectionState, resumptions: number | undefined): ConnectionState =>
  state.resumptions === resumptions ? { ...state, isResumeDue: false } : state;

/** A consent failed. The current tokens are not affected. */
export const applyFailedConsent = (
  state: ConnectionState,
  at: Instant,
  { code, detail }: FailedConsent,
): ConnectionState => ({
  ...state,
  lastFailure: { at, code, detail: `${detail} The previous grant was not changed.` },
});

/** Another account consented, so its tokens are not accepted. */
export function applyOtherAccount(state: ConnectionState, at: Instant, consenting: string): ConnectionState {
  const bound = state.account?.id ?? 'unknown';
  const flag = flags.otherAccount(state.id, at, [bound, consenting]);
  const refused = applyFailedConsent(state, at, flags.failedConsent('other_account'));
  return { ...refused, attention: flags.restate(state.attention, flag) };
}

/** Revokes the grant: deletes it, ignores results in flight and closes open links. Only a new consent restores the connection. */
export const applyRevocation = (
  state: ConnectionState,
  now: Instant,
  revocation: Revocation,
): ConnectionState => ({
  ...dropUnconfirmed(state),
  status: 'needs_reauthorisation',
  tokens: undefined,
  revokedUpTo: consentedGeneration(state),
  consent: { ...state.consent, isUsed: true },
  refreshRequestedFor: 0,
  failures: 0,
  retryAt: undefined,
  lostAt: undefined,
  isResumeDue: false,
  attention: flags.restate(
    flags.healed(lower(state.attention, 'account_unconfirmed')),
    flags.revoked(state.id, now, revocation),
  ),
});
