// By which life an event, or a state that was shown, is judged: that of what it is about. Pure.
import { AGREEMENT_LIFECYCLE } from '../agreement/lifecycle.js';
import { CLIENT_LIFECYCLE } from '../client/lifecycle.js';
import { isUnrecognised } from './fold.js';
import { PAYMENT_LIFECYCLE } from '../payment/lifecycle.js';
import { REFUND_LIFECYCLE } from '../refund/lifecycle.js';
import type { Notification } from './fact.js';

/** What is followed at the provider. */
export type Resource = Exclude<Notification['resource'], 'other'> | 'client';

const IS_UNRECOGNISED: Readonly<Record<Resource, (fact: { type: string; state?: string }) => boolean>> = {
  agreement: (fact) => isUnrecognised(AGREEMENT_LIFECYCLE, fact),
  payment: (fact) => isUnrecognised(PAYMENT_LIFECYCLE, fact),
  client: (fact) => isUnrecognised(CLIENT_LIFECYCLE, fact),
  refund: (fact) => isUnrecognised(REFUND_LIFECYCLE, fact),
};

/** Whether this release does not know its type. Of what is not followed nothing is known: each is for an operator. */
export const isUnknownEvent = ({
  resource,
  fact: { type },
}: {
  resource: Notification['resource'];
  fact: Pick<Notification['fact'], 'type'>;
}): boolean => resource !== 'other' && IS_UNRECOGNISED[resource]({ type });

/** Whether this release does not know it. */
export const isUnknownState = (resource: Resource, state: string): boolean =>
  IS_UNRECOGNISED[resource]({ type: 'observed', state });
