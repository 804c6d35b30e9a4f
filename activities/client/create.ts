import { clientIn } from '../resource/snapshot.js';
import { submitOnce } from '../resource/submit-once.js';
import type { ClientOrder } from '../../domain/client/request.schema.js';
import type { Dependencies } from '../dependencies.js';
import type { Ref } from '../resource/snapshot.js';

/** Makes one attempt. If no answer arrives, the workflow searches for the client's business before it sends the request again. */
export const createClientActivity =
  (deps: Dependencies) =>
  ({ uid, connectionId, order }: Ref & { order: ClientOrder }) =>
    submitOnce(deps, connectionId, async (call) =>
      clientIn(await deps.payments.createClient(order, call), uid),
    );
