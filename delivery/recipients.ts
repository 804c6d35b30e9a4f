// The recipients of the provider's events, of reports and of sweeps.
import { workflowIdOf, type ProviderResource } from '../domain/resources.js';
import { AGREEMENT_UID } from '../workflows/contracts/search-attributes.js';
import type { Recipient } from './reopen.js';

/** @param connectionId the connection of a resource that we do not know yet. */
export const recipientOf = (
  resource: ProviderResource,
  uid: string,
  connectionId: string | undefined,
): Recipient => ({
  uid,
  connectionId,
  workflow: resource,
  workflowId: workflowIdOf(resource, uid),
  inputWith: (carried, { isReopened, isLost }) => ({
    ...{ uid, connectionId, carried, isReopened, isLost },
    // Temporal may have forgotten an earlier run.
    readsRecord: carried === undefined,
  }),
  attributes: resource === 'agreement' ? [{ key: AGREEMENT_UID, value: uid }] : [],
});
