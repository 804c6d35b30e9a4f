// What a connection workflow keeps, and what tokens, consents and failures change in it. Plain JSON and pure.
import { lower } from '../../domain/attention/flags.js';
import * as flags from './failure.js';
import type { CallCode } from '../../domain/provider/call-codes.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { Attention } from '../../domain/attention/flags.js';
import type { Awaiting } from '../../domain/attention/awaiting.js';
import type { CallFailure } from '../entity/engine/call-failure.js';
import type { Acceptance, Account } from './account.js';
import type { CheckProgress, FailedConsent, Revocation } from './failure.js';

/** How long a refresh whose answer was lost may still come in by signal. */
const LATE_SUCCESS_MS = 90 * 1000;
/**
 * How long a token call that Temporal has given up may still live, and its pair come in by signal: the minute that it has, less
 * the ten seconds of missing heartbeats by which it was missed. A second call beside it would spend the same token twice.
 */
export const SILENT_CALL_MS = 50 * 1000;
/** A round of consent is open for ten minutes. */
export const CONSENT_MS = 10 * 60 * 1000;
/** A consent's generation is beyond any that a refresh can bring while it is on its way. */
const CONSENT_STRIDE = 100;

/** A generation of tokens as it is kept: sealed, so that no history ever has a token in clear. */
export interface SealedTokens {
  generation: number;
  expiresAt: Instant;
  /** When it is wise to ask for the next one: 80 to 90 % of its life. */
  refreshAt: Instant;
  scope: string;
  sealedAccess: string;
  sealedRefresh: string;
  /** When the connection was begun whose token was renewed; absent of a consent. */
  life?: Instant | undefined;
  /** Of a pair that took the place of an unconfirmed one. */
  isUnconfirmed?: true | undefined;
}

/** What a code was exchanged for. */
export interface ConsentedTokens extends SealedTokens {
  /** The hash of the account that has consented; absent where the provider answered without one. */
  account?: string | undefined;
  /** Why it is not known which account has consented: the call that asks for it failed. */
  checkFailed?: CallCode | undefined;
}

/** A pair whose account is not confirmed (workflows/connection/unconfirmed.ts). */
export interface UnconfirmedPair {
  tokens: SealedTokens;
  /** Of its round: another account may have consented. */
  acceptance?: Acceptance | undefined;
  since: Instant;
  progress: CheckProgress;
  /** How often in a row its refresh has failed. */
  failures: number;
  /** Nothing is asked for it before. */
  retryAt?: Instant | undefined;
}

export const CONNECTION_STATUSES = ['awaiting_consent', 'healthy', 'needs_reauthorisation'] as const;
export type ConnectionStatus = (typeof CONNECTION_STATUSES)[number];

export interface ConnectionState {
  id: string;
  status: ConnectionStatus;
  tokens?: SealedTokens | undefined;
  /** The pair of a newer consent whose account is not confirmed. It is used for the check alone. */
  unconfirmed?: UnconfirmedPair | undefined;
  /** Of the merchant that has consented. It outlasts the tokens. */
  account?: Account | undefined;
  /** Tokens were given up by us: whatever comes of a generation up to this one is of a grant that is not wanted any more. */
  revokedUpTo?: number | undefined;
  /** The newest round of consent, and whether it has been used. */
  consent: {
    round: number;
    expiresAt: Instant;
    isUsed: boolean;
    /** The highest that a consent was given, whatever has become of it. */
    generation?: number | undefined;
    /** The caller's, where the round was opened with one: a repeat gets the same round. */
    key?: string | undefined;
    /** The account that consents in it may be another. */
    acceptance?: Acceptance | undefined;
  };
  /** A generation beyond this one has been asked for. */
  wantedBeyond: number;
  /** How often in a row a refresh has failed for this generation, and when it may be tried again. */
  failures: number;
  retryAt?: Instant | undefined;
  /** The server has refused the grant. Until then a refresh that won before may still come in, and show that it stands. */
  lostAt?: Instant | undefined;
  /** Consent has been given, and what is blocked has not been signalled. */
  isResumeDue: boolean;
  /** Counts the consents that came while that was due, so that each is followed by signals of its own. */
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
  wantedBeyond: 0,
  failures: 0,
  isResumeDue: false,
  awaiting: { what: 'consent', since: now },
  attention: [],
  createdAt: now,
});

/** 0 while no consent has been given. */
export const generationOf = ({ tokens }: ConnectionState): number => tokens?.generation ?? 0;

/** Whether tokens of this generation are of a grant that we have given up. */
export const isGivenUp = ({ revokedUpTo = 0 }: ConnectionState, generation: number): boolean =>
  generation <= revokedUpTo;

/**
 * A new generation. One that is not newer than what is known is a late echo and changes nothing; one that comes after the grant
 * was given up for lost shows that it is not. What we gave up ourselves stays given up.
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
    attention: flags.healed(state.attention),
    isResumeDue: state.isResumeDue || state.status !== 'healthy',
  };
}

/**
 * A refresh has succeeded. A server that leaves the scope out means that it is what it was (RFC 6749, 5.1); of a consent it
 * would mean that it is what was asked for.
 */
export const recordRefresh = (state: ConnectionState, tokens: SealedTokens): ConnectionState =>
  storeTokens(state, { ...tokens, scope: tokens.scope || (state.tokens?.scope ?? '') });

/** What went wrong last. */
const recordProblem = (state: ConnectionState, at: Instant, code: CallCode): ConnectionState => ({
  ...state,
  lastFailure: { at, code, detail: flags.meaningOf(code) },
});

/**
 * A refresh of that generation has failed. A refused grant may mean that an earlier attempt won, and that its success is still
 * on its way to us; an operator should know now all the same. Anything else is tried again, at once and then ever more slowly;
 * but a call that never said how it ended is waited out first.
 */
export function recordFailedRefresh(
  state: ConnectionState,
  now: Instant,
  generation: number,
  { code, retryAfterMs, isTimedOut }: Pick<CallFailure, 'code' | 'retryAfterMs' | 'isTimedOut'>,
): ConnectionState {
  if (generationOf(state) > generation) return state;
  const noted = recordProblem(state, now, code);
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

/** The grant is lost: only a person's consent helps. */
export const markGrantLost = (state: ConnectionState, now: Instant): ConnectionState => ({
  ...recordProblem(state, now, 'grant_refused'),
  status: 'needs_reauthorisation',
  lostAt: undefined,
  attention: flags.restate(state.attention, flags.lost(state.id, now)),
});

/**
 * The generation that a consent brings: beyond any that a refresh or another consent, of a grant that we still want, can bring
 * while they are on their way.
 */
export function consentedGeneration({ tokens, consent, revokedUpTo = 0 }: ConnectionState): number {
  const newest = Math.max(tokens?.generation ?? 0, consent.generation ?? 0);
  return newest > revokedUpTo ? newest + CONSENT_STRIDE : revokedUpTo + 1;
}

/** A link has been used, and its consent is on its way as that generation. */
export const markRoundUsed = (state: ConnectionState, generation: number): ConnectionState => ({
  ...state,
  consent: { ...state.consent, isUsed: true, generation },
});

/**
 * A person has consented: what is blocked may go on. A consent that a revocation of ours or a later consent has overtaken
 * changes nothing. What was signalled for the consent before this one may be blocked again, so it is signalled anew.
 * @param account what the connection is bound to by it.
 */
export function recordConsent(
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
  return { ...taken, account, attention, isResumeDue: true, wantedBeyond: 0, resumptions };
}

/** The unconfirmed pair is taken, refused, revoked or overtaken: nothing is kept of it here. */
export const dropUnconfirmed = (state: ConnectionState): ConnectionState => ({
  ...state,
  unconfirmed: undefined,
  attention: lower(state.attention, 'account_unconfirmed'),
});

const isOvertaken = (state: ConnectionState, { generation }: SealedTokens): boolean =>
  generation < (state.consent.generation ?? 0) && generation < generationOf(state);

/** All that is blocked has been signalled for one consent; not for one that came meanwhile. */
export const markResumed = (state: ConnectionState, resumptions: number | undefined): ConnectionState =>
  state.resumptions === resumptions ? { ...state, isResumeDue: false } : state;

/** A consent came to nothing. That says nothing of the tokens that stand. */
export const recordFailedConsent = (
  state: ConnectionState,
  at: Instant,
  { code, detail }: FailedConsent,
): ConnectionState => ({
  ...state,
  lastFailure: { at, code, detail: `${detail} What stood before stands.` },
});

/** Another account has consented: its tokens are not taken. */
export function recordOtherAccount(state: ConnectionState, at: Instant, consenting: string): ConnectionState {
  const bound = state.account?.id ?? 'unknown';
  const flag = flags.otherAccount(state.id, at, [bound, consenting]);
  const refused = recordFailedConsent(state, at, flags.failedConsent('other_account'));
  return { ...refused, attention: flags.restate(state.attention, flag) };
}

/**
 * The grant is not wanted any more: nothing is kept of it, nothing that is still on its way revives it, and links that were
 * given out are good no more. A new consent heals it.
 */
export const recordRevocation = (
  state: ConnectionState,
  now: Instant,
  revocation: Revocation,
): ConnectionState => ({
  ...dropUnconfirmed(state),
  status: 'needs_reauthorisation',
  tokens: undefined,
  revokedUpTo: consentedGeneration(state),
  consent: { ...state.consent, isUsed: true },
  wantedBeyond: 0,
  failures: 0,
  retryAt: undefined,
  lostAt: undefined,
  isResumeDue: false,
  attention: flags.restate(
    flags.healed(lower(state.attention, 'account_unconfirmed')),
    flags.revoked(state.id, now, revocation),
  ),
});
