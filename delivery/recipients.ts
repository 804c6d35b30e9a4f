// The recipients of the provider's events, and the signals that they receive.
import { workflowIdOf } from '../domain/resources.js';
import { agreementDiffers, agreementFact } from '../workflows/agreement/contract.js';
import { AGREEMENT_UID } from '../workflows/contracts/search-attributes.js';
import { paymentDiffers, paymentFact } from '../workflows/payment/contract.js';
import { refundDiffers, refundFact } from '../workflows/refund/contract.js';
import type { SignalDefinition } from '@temporalio/common';
import type { Fact } from '../domain/facts/fact.js';
import type { EventResource } from '../domain/resources.js';
import type { Recipient } from './reopen.js';

/** @param connectionId the connection of a resource that we do not know yet. */
export const recipientOf = (
  resource: EventResource,
  uid: string,
  connectionId: string | undefined,
): Recipient => ({
  uid,
  connectionId,
  workflow: resource,
  workflowId: workflowIdOf(resource, uid),
  inputWith: (carried, isReopened) => ({ uid, connectionId, carried, isReopened }),
  attributes: resource === 'agreement' ? [{ key: AGREEMENT_UID, value: uid }] : [],
});

interface Signals {
  /** Brings an event of the provider. */
  fact: SignalDefinition<[Fact]>;
  /** A sweep found another state at the provider. */
  differs: SignalDefinition;
}

export const SIGNALS: Readonly<Record<EventResource, Signals>> = {
  agreement: { fact: agreementFact, differs: agreementDiffers },
  payment: { fact: paymentFact, differs: paymentDiffers },
  refund: { fact: refundFact, differs: refundDiffers },
};
