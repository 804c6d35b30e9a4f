// A notification for the records, and its page in Temporal's UI.
import { published as publishedBy } from '../entity/engine/publish.js';
import type { Attention } from '../../domain/attention/flags.js';
import type { Awaiting } from '../../domain/attention/awaiting.js';
import type { Fact } from '../../domain/facts/fact.js';
import type { Published } from '../entity/engine/publish.js';
import type { NotificationState } from './contract.js';

export const orphanFlag = ({ receivedAt: since }: Fact): Attention => ({
  ...{ code: 'orphan', since },
  detail: 'The notification belongs to no agreement or payment.',
  next: 'Read it, then send the signal `acknowledge`.',
});

export const stateOf = ({ acknowledgedAt }: NotificationState): 'open' | 'acknowledged' =>
  acknowledgedAt === undefined ? 'open' : 'acknowledged';

const awaitingOf = ({ fact, acknowledgedAt }: NotificationState): Awaiting =>
  acknowledgedAt === undefined
    ? { what: 'operator', since: fact.receivedAt }
    : { what: 'nothing', since: acknowledgedAt };

export const viewOf = (state: NotificationState): object => {
  const { resourceType, fact, acknowledgedAt, attention } = state;
  return {
    ...{ state: stateOf(state), stateSince: acknowledgedAt ?? fact.receivedAt },
    ...{ resourceType, fact, acknowledgedAt, attention },
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
