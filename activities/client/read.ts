// findClient, lookUpClient and watchClient.
import { withHeartbeats } from '../attempts/heartbeat.js';
import { readFailure } from '../failure.js';
import { readActivities } from '../resource/read.js';
import { fetchClient, findClientOf } from '../resource/snapshot.js';
import type { ClientOrder } from '../../domain/client/request.schema.js';
import type { Dependencies } from '../dependencies.js';
import type { Ref } from '../resource/snapshot.js';

/** The provider knows a client only by its own id. Until we have that id, we look for its business: by ABN, else by ACN, else by legal name. */
export function clientReads(deps: Dependencies) {
  const { lookUp, watch } = readActivities(deps, { resource: 'client', fetchSnapshot: fetchClient });
  return {
    lookUp,
    watch,
    find: (of: Ref & { order: ClientOrder }) =>
      withHeartbeats(() => findClientOf(deps, of)).catch((error: unknown) => {
        throw readFailure(error);
      }),
  };
}
