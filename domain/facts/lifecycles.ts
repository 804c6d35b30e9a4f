// By which life an event, or a state that was shown, is judged: that of what it is about. Pure.
import { AGREEMENT_LIFE } from '../agreement/lifecycle.js';
import { CLIENT_LIFE } from '../client/lifecycle.js';
import { isUnrecognised } from './fold.js';
import { PAYMENT_LIFE } from '../payment/lifecycle.js';
import { REFUND_LIFE } from '../refund/lifecycle.js';
import type { Notification } from './fact.js';

/** What is followed at the provider. */
export type Resource = Exclude<Notification['resource'], 'other'> | 'client';

const IS_NEW: Readonly<Record<Resource, (fact: { type: string; state?: string }) => boolean>> = {
  agreement: (fact) => isUnrecognised(AGREEMENT_LIFE, fact),
  payment: (fact) => isUnrecognised(PAYMENT_LIFE, fact),
  client: (fact) => isUnrecognised(CLIENT_LIFE, fact),
  refund: (fact) => isUnrecognised(REFUND_LIFE, fact),
};

/** Whether this release does not know its type. Of what is not followed nothing is known: each is for an operator. */
export const isUnknownEvent = ({
  resource,
  fact: { type },
}: {
  resource: Notification['resource'];
  fact: Pick<Notification['fact'], 'type'>;
}): boolean => resource !== 'other' && IS_NEW[resource]({ type });

/** Whether this release does not know it. */
export const isUnknownState = (resource: Resource, state: string): boolean =>
  IS_NEW[resource]({ type: 'observed', state });
