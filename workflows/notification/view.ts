// A notification for the records, and its page in Temporal's UI.
import { published as publishedBy } from '../engine/publish.js';
import type { Attention } from '../../domain/attention/flags.js';
import type { Awaiting } from '../../domain/attention/awaiting.js';
import type { Published } from '../engine/publish.js';
import type { NotificationInput, NotificationState, NotificationView } from './contract.js';

export const orphanFlag = ({ fact, about }: NotificationInput, id: string): Attention => ({
  ...{ code: 'orphan', since: fact.receivedAt },
  detail:
    about === undefined
      ? 'The notification belongs to nothing that we follow.'
      : `The notification names the ${about.resource} ${about.uid}, which we do not follow. Its workflow starts if the connection ${fact.provenConnectionId} has it.`,
  next: `Read it, then POST /v1/notifications/${encodeURIComponent(id)}/acknowledgement.`,
});

export const stateOf = ({ acknowledgement }: NotificationState): NotificationView['state'] =>
  acknowledgement === undefined ? 'open' : 'acknowledged';

const awaitingOf = ({ fact, acknowledgement }: NotificationState): Awaiting =>
  acknowledgement === undefined
    ? { what: 'operator', since: fact.receivedAt }
    : { what: 'nothing', since: acknowledgement.at };

export const viewOf = (state: NotificationState): NotificationView => {
  const { id, resourceType, fact, acknowledgement, attention } = state;
  return {
    ...{ uid: id, state: stateOf(state), stateSince: acknowledgement?.at ?? fact.receivedAt },
    ...{ resourceType, fact, acknowledgement, attention, requestedAt: fact.receivedAt },
    awaiting: awaitingOf(state),
  };
};

export const published = (state: NotificationState): Published =>
  publishedBy({
    title: `Notification ${state.fact.type} of a ${state.resourceType}`,
    awaiting: awaitingOf(state),
    attention: state.attention,
    own: [],
    notes: ['its content is the input of this workflow'],
  });
