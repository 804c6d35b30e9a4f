// A notification for the records, and its page in Temporal's UI.
import { goneInWords } from '../../domain/records/remembered.js';
import { published as publishedBy, type Published } from '../engine/publish.js';
import type { Attention } from '../../domain/attention/flags.js';
import type { Awaiting } from '../../domain/attention/awaiting.js';
import type { NotificationInput, NotificationState, NotificationView } from './contract.js';

export const orphanFlag = (input: NotificationInput, id: string): Attention => ({
  ...{ code: 'orphan', since: input.fact.receivedAt, detail: detailOf(input) },
  next: `Read it, then POST /v1/notifications/${encodeURIComponent(id)}/acknowledgement.`,
});

function detailOf({ fact, about, gone }: NotificationInput): string {
  if (gone !== undefined)
    return `The notification names the ${gone.resource} ${gone.uid}. ${goneInWords(`this ${gone.resource}`, gone)} Nothing else has happened.`;
  return about === undefined
    ? 'The notification belongs to nothing that we follow.'
    : `The notification names the ${about.resource} ${about.uid}, which we do not follow. Its workflow starts if the connection ${fact.provenConnectionId} has it.`;
}

export const stateOf = ({ acknowledgement }: NotificationState): 'open' | 'acknowledged' =>
  acknowledgement === undefined ? 'open' : 'acknowledged';

const awaitingOf = ({ fact, acknowledgement }: NotificationState): Awaiting =>
  acknowledgement === undefined
    ? { what: 'operator', since: fact.receivedAt }
    : { what: 'nothing', since: acknowledgement.at };

export const viewOf = (state: NotificationState) => {
  const { id, resourceType, fact, acknowledgement, attention } = state;
  return {
    ...{ uid: id, state: stateOf(state), stateSince: acknowledgement?.at ?? fact.receivedAt },
    ...{ resourceType, fact, acknowledgement, attention, requestedAt: fact.receivedAt },
    awaiting: awaitingOf(state),
  };
};

/** The state from a view in a row. */
export function lostState(view: object): NotificationState {
  const { uid: id, resourceType, fact, acknowledgement, attention } = view as NotificationView;
  return { id, resourceType, fact, acknowledgement, attention };
}

export const published = (state: NotificationState): Published =>
  publishedBy({
    title: `Notification ${state.fact.type} of a ${state.resourceType}`,
    awaiting: awaitingOf(state),
    attention: state.attention,
    own: [],
    notes: ['its content is the input of this workflow'],
  });
