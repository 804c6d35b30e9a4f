// The state of a followed float account. Plain JSON and pure.
import { lower, raise } from '../../domain/attention/flags.js';
import { MOST_BREAKS } from '../../domain/float/account.js';
import type { Attention } from '../../domain/attention/flags.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { FloatAccountState, FloatReading } from '../../domain/float/account.js';
import type { ChainBreak } from '../../domain/float/chain.js';
import type { Acknowledgement, BlockedCode, FloatAccountInput, FloatAccountView, State } from './contract.js';

export const newFloatAccount = (
  { uid, connectionId }: Pick<FloatAccountInput, 'uid' | 'connectionId'>,
  now: Instant,
): State => ({
  ...{ uid, connectionId, startedAt: now, account: {}, progress: {}, entryCount: 0, unreadableCount: 0 },
  ...{
    breaks: [],
    gaps: [],
    acknowledgements: [],
    attention: [],
    stateSince: now,
    awaiting: { what: 'look-up', since: now },
  },
});

export const stateOf = ({ blocked, awaiting }: State): FloatAccountState =>
  blocked !== undefined ? 'blocked' : awaiting.what === 'look-up' ? 'reading' : 'followed';

export function recordReading(state: State, reading: FloatReading, now: Instant): State {
  const { account, progress, entryCount, unreadable, isGap } = reading;
  // The last instant of the reading before was checked again.
  const breaks = reading.breaks.filter(({ afterId }) => state.breaks.every((one) => one.afterId !== afterId));
  const { newest } = state.progress;
  const gap = isGap && newest !== undefined ? newest.id : undefined;
  const flags = [
    ...(gap === undefined ? [] : [gapFlag(state.uid, gap, now)]),
    ...breaks.slice(-1).map((broken) => chainFlag(state.uid, broken, now)),
  ];
  return {
    ...state,
    ...{ account, progress, blocked: undefined },
    entryCount,
    unreadableCount: state.unreadableCount + unreadable,
    breaks: [...state.breaks, ...breaks].slice(-MOST_BREAKS),
    gaps: gap === undefined ? state.gaps : [...state.gaps, gap].slice(-MOST_BREAKS),
    attention: flags.reduce(raise, state.attention),
    awaiting: { what: 'nothing', since: now },
    stateSince: stateOf(state) === 'followed' ? state.stateSince : now,
  };
}

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
export const block = (state: State, code: BlockedCode, now: Instant): State => ({
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

export const unblock = (state: State, now: Instant): State =>
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
export const recordAcknowledgement = (state: State, acknowledgement: Acknowledgement): State =>
  state.attention.some(({ code }) => code === 'float_chain')
    ? {
        ...state,
        attention: lower(state.attention, 'float_chain'),
        acknowledgements: [...state.acknowledgements, acknowledgement].slice(-MOST_BREAKS),
      }
    : state;

export const viewOf = (state: State): FloatAccountView => ({
  ...state.account,
  ...{
    uid: state.uid,
    connectionId: state.connectionId,
    state: stateOf(state),
    stateSince: state.stateSince,
  },
  ...{ awaiting: state.awaiting, attention: state.attention, requestedAt: state.startedAt },
  ...{ balance: state.progress.balance, lastEntry: state.progress.newest },
  ...{ entryCount: state.entryCount, unreadableCount: state.unreadableCount },
  ...{ breaks: state.breaks, acknowledgements: state.acknowledgements },
});
