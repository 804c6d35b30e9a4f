// The page of a case in Temporal's UI. Names and texts of the payer stay in the API.
import { published as publishedBy, readable, type Published } from '../engine/publish.js';
import { isCertain, stateOf } from './state.js';
import type { CreditState, UnmatchedCreditView } from './contract.js';

export const viewOf = (state: CreditState) => {
  const { uid, accountUid, connectionId, report, entry, confirmedAt, resolution, joined } = state;
  return {
    ...{ uid, accountUid, connectionId, state: stateOf(state), stateSince: state.stateSince },
    ...{ awaiting: state.awaiting, attention: state.attention, requestedAt: state.startedAt },
    ...{ amount: entry?.amount ?? report?.amount, receivedAt: entry?.at ?? report?.receivedAt },
    ...{ report, isAuthenticated: isCertain(state) },
    ...{ entry, confirmedAt, resolution, joined },
  };
};

export function published(state: CreditState): Published {
  const { uid, accountUid, connectionId, attention, awaiting, amount, receivedAt, entry } = viewOf(state);
  return publishedBy({
    title: `Unmatched credit ${uid}`,
    ...{ awaiting, attention, connectionId, own: [] },
    notes: [
      `${amount ?? 'unknown'} cents to float account ${accountUid}${receivedAt === undefined ? '' : `, ${readable(receivedAt)}`}`,
      entry === undefined
        ? 'no entry of the account confirms it yet'
        : 'confirmed by the entry of the account',
      nextIn(viewOf(state)),
    ],
  });
}

function nextIn({ uid, joined, resolution }: UnmatchedCreditView): string {
  if (joined !== undefined) return `joined with the case ${joined.uid}`;
  return resolution === undefined
    ? `decide with POST /v1/unmatched-credits/${uid}/resolution`
    : `${resolution.decision} by ${resolution.by}`;
}
