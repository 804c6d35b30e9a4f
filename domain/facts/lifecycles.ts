// The lifecycle table for each resource, to detect unknown events and states. Pure.
import { AGREEMENT_LIFECYCLE } from '../agreement/lifecycle.js';
import { CLIENT_LIFECYCLE } from '../client/lifecycle.js';
import { isUnrecognised } from './fold.js';
import { PAYMENT_LIFECYCLE } from '../payment/lifecycle.js';
import { REFUND_LIFECYCLE } from '../refund/lifecycle.js';
import type { Notification } from './fact.js';

/** The resources that we follow at the provider. */
export type Resource = Exclude<Notification['resource'], 'other'> | 'client';

const IS_UNRECOGNISED: Readonly<Record<Resource, (fact: { type: string; state?: string }) => boolean>> = {
  agreement: (fact) => isUnrecognised(AGREEMENT_LIFECYCLE, fact),
  payment: (fact) => isUnrecognised(PAYMENT_LIFECYCLE, fact),
  client: (fact) => isUnrecognised(CLIENT_LIFECYCLE, fact),
  refund: (fact) => isUnrecognised(REFUND_LIFECYCLE, fact),
};

/** Whether this release does not know the event type. Events of other resources always go to an operator, so they do not count. */
export const isUnknownEvent = ({
  resource,
  fact: { type },
}: {
  resource: Notification['resource'];
  fact: Pick<Notification['fact'], 'type'>;
}): boolean => resource !== 'other' && IS_UNRECOGNISED[resource]({ type });

/** Whether this release does not know the state. */
export const isUnknownState = (resource: Resource, state: string): boolean =>
  IS_UNRECOGNISED[resource]({ type: 'observed', state });
