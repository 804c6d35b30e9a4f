// What the provider pushed that belongs to no agreement or payment: kept until an operator has seen it.
import { updateState } from '../entity/engine/handlers.js';
import { published } from '../entity/engine/publish.js';
import { continueOnCurrentRelease, runEntity } from '../entity/engine/temporal.js';
import { messages } from './contract.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { Attention } from '../../domain/attention/flags.js';
import type { Awaiting } from '../../domain/attention/awaiting.js';
import type { Handlers } from '../entity/engine/handlers.js';
import type { EntityDefinition } from '../entity/engine/reconcile.js';
import type { NotificationInput } from './contract.js';

interface State {
  input: NotificationInput;
  isAcknowledged: boolean;
  awaiting: Awaiting;
}
type Step = { do: 'await_operator' };

export async function notification(input: NotificationInput): Promise<NotificationInput> {
  const awaiting: Awaiting = { what: 'operator', since: input.fact.receivedAt };
  const { outcome } = await runEntity({
    definition: NOTIFICATION,
    messages,
    handlers: HANDLERS,
    begin: () => ({ input, isAcknowledged: false, awaiting }),
  });
  return outcome === 'continue' ? continueOnCurrentRelease<typeof notification>(input) : input;
}

const HANDLERS: Handlers<State, typeof messages> = {
  acknowledge: updateState((state) => ({ ...state, isAcknowledged: true })),
  getNotification: { read: ({ input }) => input },
};

const NOTIFICATION: EntityDefinition<State, Step> = {
  rules: { await_operator: { lane: 'learn', awaiting: 'operator' } },
  desiredSteps: ({ isAcknowledged }) => (isAcknowledged ? [] : [{ do: 'await_operator' }]),
  isOver: ({ isAcknowledged }) => isAcknowledged,
  publish: ({ input: { fact, resourceType }, isAcknowledged, awaiting }) =>
    published({
      title: `Notification ${fact.type} of a ${resourceType}`,
      awaiting,
      attention: isAcknowledged ? [] : [orphanSince(fact.receivedAt)],
      notes: ['its content is the input of this workflow'],
      own: [],
    }),
};

const orphanSince = (since: Instant): Attention => ({
  code: 'orphan',
  since,
  detail: 'It belongs to no agreement or payment.',
  next: 'Read it, then send the signal `acknowledge`.',
});
