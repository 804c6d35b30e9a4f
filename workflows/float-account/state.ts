// The state of a followed float account. Plain JSON and pure.
import { lower, raise, type Attention } from '../../domain/attention/flags.js';
import {
  MOST_BREAKS,
  type ChainState,
  type FLOAT_ACCOUNT_STATES,
  type FloatReading,
  type ReadAgain,
} from '../../domain/float/account.js';
import { refused } from '../engine/refusal.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { ChainBreak } from '../../domain/float/chain.js';
import type {
  Acknowledgement,
  BlockedCode,
  FloatAccountInput,
  FoundBreak,
  ReadingRequest,
  RequestedReading,
  FloatAccountState,
} from './contract.js';

export const newFloatAccount = (
  { uid, connectionId }: Pick<FloatAccountInput, 'uid' | 'connectionId'>,
  now: Instant,
): FloatAccountState => ({
  ...{ uid, connectionId, startedAt: now, account: {}, progress: {}, entryCount: 0, unreadableCount: 0 },
  ...{
    breaks: [],
    chainSince: now,
    gaps: [],
    readingRequests: [],
    acknowledgements: [],
    attention: [],
    stateSince: now,
    awaiting: { what: 'look-up', since: now },
  },
});

export const stateOf = ({ blocked, awaiting }: FloatAccountState): (typeof FLOAT_ACCOUNT_STATES)[number] =>
  blocked !== undefined ? 'blocked' : awaiting.what === 'look-up' ? 'reading' : 'followed';

/** @param ended the requested reading that it was. */
export function applyReading(
  state: FloatAccountState,
  reading: FloatReading,
  now: Instant,
  ended?: RequestedReading,
): FloatAccountState {
  const { account, progress, entryCount, unreadable, isGap } = reading;
  const { newest } = state.progress;
  const gap = isGap && newest !== undefined ? newest.id : undefined;
  const breaks = breaksAfter(state, reading, now);
  const next: FloatAccountState = {
    ...state,
    ...{ account, progress, entryCount, breaks, blocked: undefined },
    unreadableCount: state.unreadableCount + unreadable,
    gaps: gap === undefined ? state.gaps : [...state.gaps, gap].slice(-MOST_BREAKS),
    openGap: gap ?? state.openGap,
    chainSince: chainOf({ breaks }) === chainOf(state) ? state.chainSince : now,
    reading: state.reading === ended ? undefined : state.reading,
    awaiting: { what: 'nothing', since: now },
    stateSince: stateOf(state) === 'followed' ? state.stateSince : now,
  };
  return { ...next, attention: chainAttention(state, next, now) };
}

export const chainOf = ({ breaks }: Pick<FloatAccountState, 'breaks'>): ChainState =>
  breaks.every(({ mendedAt }) => mendedAt !== undefined) ? 'whole' : 'broken';

function breaksAfter(
  state: FloatAccountState,
  { breaks: found, checkedFrom }: FloatReading,
  now: Instant,
): FoundBreak[] {
  const isChecked = ({ at }: FoundBreak): boolean =>
    found.length < MOST_BREAKS && (checkedFrom === undefined || Date.parse(at) >= Date.parse(checkedFrom));
  const isFound = ({ afterId }: FoundBreak): boolean => found.some((one) => one.afterId === afterId);
  const earlier = state.breaks.map((one) =>
    one.mendedAt === undefined && isChecked(one) && !isFound(one) ? { ...one, mendedAt: now } : one,
  );
  // The last instant of the reading before was checked again.
  const fresh = found
    .filter(({ afterId }) => earlier.every((one) => one.mendedAt !== undefined || one.afterId !== afterId))
    .map((one) => ({ ...one, foundAt: now }));
  return newest([...earlier, ...fresh]);
}

/** Drops those first that were mended, so that a chain with an old break stays broken. */
function newest(breaks: readonly FoundBreak[]): FoundBreak[] {
  const excess = breaks.length - MOST_BREAKS;
  if (excess <= 0) return [...breaks];
  const mended = breaks.filter(({ mendedAt }) => mendedAt !== undefined).slice(0, excess);
  return breaks.filter((one) => !mended.includes(one)).slice(-MOST_BREAKS);
}

/** Breaks that are neither mended nor acknowledged. */
const unresolvedBreaks = ({ breaks, acknowledgements }: FloatAccountState): FoundBreak[] => {
  const acknowledgedAt = acknowledgements.at(-1)?.at;
  return breaks.filter(
    ({ mendedAt, foundAt }) =>
      mendedAt === undefined && (acknowledgedAt === undefined || foundAt >= acknowledgedAt),
  );
};

/** The flag of a gap or of a new break, until nothing is unresolved. */
function chainAttention(before: FloatAccountState, after: FloatAccountState, now: Instant): Attention[] {
  const unresolved = unresolvedBreaks(after);
  const { openGap, uid } = after;
  const isMended = unresolvedBreaks(before).length > 0 && unresolved.length === 0;
  const list = isMended ? lower(before.attention, 'float_chain') : before.attention;
  const flags = [
    ...(openGap === undefined ? [] : [gapFlag(uid, openGap, now)]),
    ...unresolved.slice(-1).map((broken) => chainFlag(uid, broken, now)),
  ];
  return flags.reduce(raise, list);
}

/** Entries are listed late by days at most. */
const READ_AGAIN_MS = 7 * 24 * 3_600_000;

/** What the next reading reads again: for an operator, or because a break may be mended by an entry that the provider lists late. */
export function againOf(state: FloatAccountState, now: Instant): ReadAgain | undefined {
  const { reading, progress } = state;
  const breaks = unresolvedBreaks(state);
  const untilMs = Math.max(...breaks.map(({ foundAt }) => Date.parse(foundAt))) + READ_AGAIN_MS;
  const place = untilMs > Date.parse(now) ? progress.beforeBreak : undefined;
  // An older break cannot be found again by a check that starts behind it.
  const brokenAt = breaks
    .filter(({ at }) => place === undefined || Date.parse(at) >= Date.parse(place.at))
    .map(({ afterId }) => afterId);
  if (reading !== undefined) {
    const { from } = reading;
    const isBefore = place !== undefined && from !== undefined && Date.parse(place.at) <= Date.parse(from);
    return { from: isBefore ? place.at : from, place: isBefore ? place : undefined, brokenAt };
  }
  if (place === undefined) return undefined;
  return { from: place.at, place, until: new Date(untilMs).toISOString(), brokenAt };
}

/** @throws ApplicationFailure `float_account_blocked` */
export function assertReadable({ uid, blocked }: FloatAccountState): void {
  if (blocked === undefined) return;
  const { detail, next } = BLOCKED[blocked.code];
  throw refused('float_account_blocked', `Float account ${uid} cannot be read. ${detail} ${next}`);
}

/** A repeat of a reading that has not ended changes nothing. */
export function applyReadingRequest(
  state: FloatAccountState,
  request: ReadingRequest,
  now: Instant,
): FloatAccountState {
  const { reading } = state;
  const { from } = request;
  if (reading !== undefined && isWithin(from, reading.from)) return state;
  return {
    ...state,
    reading: { from, since: reading?.since ?? now },
    readingRequests: [...state.readingRequests, { ...request, at: now }].slice(-MOST_BREAKS),
  };
}

const isWithin = (from: Instant | undefined, other: Instant | undefined): boolean =>
  other === undefined || (from !== undefined && Date.parse(from) >= Date.parse(other));

const acknowledging = (uid: string): string => `POST /v1/float-accounts/${uid}/acknowledgement`;

const inCents = (amount: number): string => `${amount} cents`;

const chainFlag = (
  uid: string,
  { beforeId, afterId, expected, found }: ChainBreak,
  since: Instant,
): Attention => ({
  ...{ code: 'float_chain', since },
  detail: `Entry ${beforeId} left ${inCents(expected)}, and the next entry ${afterId} starts at ${inCents(found)}.`,
  next: `Compare the entries at the provider: one is missing or was changed. Contact its support, then ${acknowledging(uid)}.`,
});

const gapFlag = (uid: string, entryId: string, since: Instant): Attention => ({
  ...{ code: 'float_chain', since },
  detail: `The provider no longer lists entry ${entryId}, the newest one of the reading before, so entries may be missing.`,
  next: `Compare the provider’s statement with the entries, contact its support, then ${acknowledging(uid)}.`,
});

/** The provider cannot be asked until a person acts. */
export const block = (state: FloatAccountState, code: BlockedCode, now: Instant): FloatAccountState => ({
  ...state,
  blocked: { code, since: now },
  awaiting: { what: code === 'not_found' ? 'operator' : 'reauthorisation', since: now },
  stateSince: now,
  attention: raise(state.attention, { ...BLOCKED[code], since: now }),
});

const BLOCKED: Readonly<Record<BlockedCode, Pick<Attention, 'code' | 'detail' | 'next'>>> = {
  needs_reauthorisation: {
    code: 'needs_reauthorisation',
    detail: 'The connection has no consent, so the entries cannot be read.',
    next: 'The merchant must consent again: POST /v1/connections/{id}/reauthorisation.',
  },
  forbidden: {
    code: 'forbidden',
    detail: 'The consent lacks the scope `bank_accounts`, so the entries cannot be read.',
    next: 'The merchant must consent again: POST /v1/connections/{id}/reauthorisation.',
  },
  not_found: {
    code: 'float_account_gone',
    detail: 'The provider no longer has this account, so its entries cannot be read.',
    next: 'Ask the provider. The account is read again at the next notification about it, or if you send the signal `floatAccountMoved`.',
  },
};

export const unblock = (state: FloatAccountState, now: Instant): FloatAccountState =>
  state.blocked === undefined
    ? state
    : {
        ...state,
        blocked: undefined,
        attention: lower(state.attention, BLOCKED[state.blocked.code].code),
        awaiting: { what: 'look-up', since: now },
        stateSince: now,
      };

/** An operator has compared the entries. A repeat changes nothing. */
export const applyAcknowledgement = (
  state: FloatAccountState,
  acknowledgement: Acknowledgement,
): FloatAccountState =>
  state.attention.some(({ code }) => code === 'float_chain')
    ? {
        ...state,
        attention: lower(state.attention, 'float_chain'),
        openGap: undefined,
        acknowledgements: [...state.acknowledgements, acknowledgement].slice(-MOST_BREAKS),
      }
    : state;
