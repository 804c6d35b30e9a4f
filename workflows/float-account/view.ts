// The page of a float account in Temporal's UI.
import { published as publishedBy, readable, type Published } from '../engine/publish.js';
import { chainOf, stateOf } from './state.js';
import type { RequestedReading, FloatAccountState } from './contract.js';

export const viewOf = (state: FloatAccountState) => ({
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
  ...{ chain: chainOf(state), chainSince: state.chainSince, reading: state.reading },
  ...{ breaks: state.breaks, acknowledgements: state.acknowledgements },
});

export function published(state: FloatAccountState): Published {
  const { uid, connectionId, attention, awaiting, entryCount, balance, lastEntry, breaks, reading } =
    viewOf(state);
  const newest = lastEntry === undefined ? '' : `, the newest of ${readable(lastEntry.at)}`;
  return publishedBy({
    title: `Float account ${uid}`,
    ...{ awaiting, attention, connectionId, own: [] },
    notes: [
      `${entryCount} entries are stored in the records${newest}`,
      balance === undefined ? 'no balance is known yet' : `its balance was then ${balance} cents`,
      ...(reading === undefined ? [] : [readingNote(reading)]),
      ...breaks.map(
        ({ beforeId, afterId, expected, found, mendedAt }) =>
          `entry ${beforeId} left ${expected} cents, and entry ${afterId} starts at ${found} cents` +
          (mendedAt === undefined ? '' : `, mended ${readable(mendedAt)}`),
      ),
    ],
  });
}

const readingNote = ({ from, since }: RequestedReading): string =>
  `an operator requested a reading ${readable(since)}: ${from === undefined ? 'all entries' : `entries from ${readable(from)} on`} are read again`;
