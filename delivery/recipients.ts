// The recipients of the provider's events, of reports and of sweeps.
import { workflowIdOf } from '../domain/resources.js';
import { AGREEMENT_UID } from '../workflows/contracts/search-attributes.js';
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
