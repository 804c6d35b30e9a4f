// A pair whose account is not confirmed yet. It is stored sealed, used only for the check, and then accepted or refused. Plain JSON and pure.
import { lower } from '../../domain/attention/flags.js';
import {
  boundTo,
  judgeAccount,
  type Acceptance,
  type AccountCheck,
  type Ownership,
  type Verdict,
} from './account.js';
import * as flags from './failure.js';
import * as states from './state.js';
import type { CallCode } from '../../domain/provider/call-codes.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { CallFailure } from '../engine/call-failure.js';
import type { ConnectionState, SealedTokens, UnconfirmedPair } from './state.js';

/** How long the check may take before an operator is informed. */
const FLAGGED_AFTER_MS = 15 * 60 * 1000;
/** How long until the next check, once Temporal has stopped retrying one. */
const CHECK_AGAIN_MS = 10 * 60 * 1000;

/** A pair whose account was checked. `since` is set if it was checked before. */
type ConsentedPair = Pick<UnconfirmedPair, 'tokens' | 'acceptance'> & { since?: Instant };

/** When to flag an unconfirmed pair. Undefined if there is none or it is already flagged. */
export function flagAtOf({ unconfirmed, attention }: ConnectionState): Instant | undefined {
  const isFlagged = attention.some(({ code }) => code === 'account_unconfirmed');
  if (unconfirmed === undefined || isFlagged) return undefined;
  return later(unconfirmed.since, FLAGGED_AFTER_MS);
}

/** The check of a new consent failed. The pair is dropped if its consent was revoked or overtaken in the meantime. */
export function applyFailedCheck(
  state: ConnectionState,
  now: Instant,
  tokens: SealedTokens,
  acceptance: Acceptance | undefined,
  code: CallCode,
): ConnectionState {
  const kept = keepPair(state, { tokens, acceptance, since: now, progress: 'checking', failures: 0 });
  return { ...kept, lastFailure: { at: now, code, detail: flags.CHECK_FAILED } };
}

function keepPair(state: ConnectionState, pair: UnconfirmedPair): ConnectionState {
  const { generation } = pair.tokens;
  const newest = Math.max(states.generationOf(state), state.unconfirmed?.tokens.generation ?? 0);
  if (states.isGivenUp(state, generation) || generation < newest) return state;
  return { ...states.dropUnconfirmed(state), unconfirmed: pair };
}

/** The provider answered which account consented, or that it does not disclose it (docs/custody.md#the-account-of-a-connection). */
export function applyAccount(
  state: ConnectionState,
  now: Instant,
  { tokens, acceptance, since = now }: ConsentedPair,
  account: string | undefined,
): ConnectionState {
  const flagged = (progress: 'not_shown' | 'to_confirm'): ConnectionState => {
    const pair = { tokens, acceptance, account, since, progress, failures: 0 };
    const kept = keepPair(state, pair);
    return kept.unconfirmed === pair ? flagUnconfirmed(kept, now) : kept;
  };
  const byVerdict: Readonly<Record<Verdict, () => ConnectionState>> = {
    taken: () => states.applyConsent(state, tokens, boundTo(state.account, account, acceptance, now)),
    other_account: () => states.applyOtherAccount(state, now, account ?? 'unknown'),
    not_shown: () => flagged('not_shown'),
    to_confirm: () => flagged('to_confirm'),
  };
  return byVerdict[judgeAccount(ownershipIn(state), account, acceptance)]();
}

export const ownershipIn = ({ account, expectedAccount, needsConfirmation }: ConnectionState): Ownership => ({
  bound: account,
  expected: expectedAccount,
  needsConfirmation: needsConfirmation === true,
});

/** A person confirmed the account of the pair, so its consent counts from now on. */
export function applyConfirmation(
  state: ConnectionState,
  now: Instant,
  acceptance: Acceptance,
): ConnectionState {
  const { unconfirmed: pair } = state;
  if (pair === undefined) return state;
  const account = { id: pair.account, accepted: { ...acceptance, at: now } };
  return states.applyConsent(states.dropUnconfirmed(state), pair.tokens, account);
}

/** A repeated check has ended. An answer about a dropped pair changes nothing. */
export function applyCheck(
  state: ConnectionState,
  now: Instant,
  generation: number,
  check: AccountCheck,
): ConnectionState {
  const pair = pairOf(state, generation);
  if (pair === undefined) return state;
  if (check.is === 'expired') return { ...state, unconfirmed: { ...pair, progress: 'expired' } };
  const settled = states.dropUnconfirmed(state);
  return applyAccount(settled, now, pair, check.is === 'shown' ? check.account : undefined);
}

/** Temporal stopped retrying the check, for example because of a 403. We check again later. */
export function postponeCheck(
  state: ConnectionState,
  now: Instant,
  generation: number,
  { code }: Pick<CallFailure, 'code'>,
): ConnectionState {
  const pair = pairOf(state, generation);
  if (pair === undefined) return state;
  const lastFailure = { at: now, code, detail: flags.CHECK_FAILED };
  return { ...state, lastFailure, unconfirmed: { ...pair, retryAt: later(now, CHECK_AGAIN_MS) } };
}

export const endPause = (state: ConnectionState): ConnectionState => ({
  ...state,
  unconfirmed: state.unconfirmed && { ...state.unconfirmed, retryAt: undefined },
});

/** A pair that arrives by signal belongs to the grant in use, or to the unconfirmed one. */
export function applySignalledRefresh(state: ConnectionState, tokens: SealedTokens): ConnectionState {
  if ((tokens.life ?? state.createdAt) !== state.createdAt) return state;
  return tokens.isUnconfirmed === true
    ? applyUnconfirmedRefresh(state, tokens)
    : states.applyRefresh(state, tokens);
}

/**
 * The pair was refreshed, so the check continues, even if the grant counted as lost. The result arrives twice, by signal and from the activity. The
 * second one changes nothing.
 */
export function applyUnconfirmedRefresh(
  state: ConnectionState,
  { isUnconfirmed, ...tokens }: SealedTokens,
): ConnectionState {
  const pair = pairOf(state, tokens.generation - 1);
  if (pair === undefined || isUnconfirmed !== true) return state;
  const scope = tokens.scope || pair.tokens.scope;
  const refreshed = {
    tokens: { ...tokens, scope },
    progress: 'checking',
    failures: 0,
    retryAt: undefined,
  } as const;
  const attention =
    pair.progress === 'lost' ? lower(state.attention, 'account_unconfirmed') : state.attention;
  return { ...state, attention, unconfirmed: { ...pair, ...refreshed } };
}

/** The refresh of an unconfirmed pair failed. After a timeout, we wait until the call has ended, because its token works only once. */
export function applyFailedUnconfirmedRefresh(
  state: ConnectionState,
  now: Instant,
  generation: number,
  { code, retryAfterMs, isTimedOut }: Pick<CallFailure, 'code' | 'retryAfterMs' | 'isTimedOut'>,
): ConnectionState {
  const pair = pairOf(state, generation);
  if (pair === undefined) return state;
  if (code === 'grant_refused')
    return flagUnconfirmed({ ...state, unconfirmed: { ...pair, progress: 'lost' } }, now);
  const failures = pair.failures + 1;
  const pauseMs = flags.pauseBeforeMs(failures, isTimedOut === true ? states.SILENT_CALL_MS : retryAfterMs);
  const retryAt = pauseMs === 0 ? undefined : later(now, pauseMs);
  return { ...state, unconfirmed: { ...pair, failures, retryAt } };
}

/** Raises a flag with the current progress of the check. */
export function flagUnconfirmed(state: ConnectionState, now: Instant): ConnectionState {
  const { id, unconfirmed, attention } = state;
  if (unconfirmed === undefined) return state;
  return { ...state, attention: flags.restate(attention, flags.unconfirmed(id, now, unconfirmed)) };
}

const pairOf = ({ unconfirmed }: ConnectionState, generation: number): UnconfirmedPair | undefined =>
  unconfirmed?.tokens.generation === generation ? unconfirmed : undefined;

const later = (at: Instant, ms: number): Instant => new Date(Date.parse(at) + ms).toISOString();
