import { writeFailure } from '../failure.js';
import type { ClientChanges } from '../../domain/client/request.schema.js';
import type { Dependencies } from '../dependencies.js';
import type { Ref } from '../resource/snapshot.js';

/** May be repeated: it says how the client is to be. */
export interface ChangeClientArgs extends Ref {
  changes: ClientChanges;
}

export const changeClientActivity =
  ({ payments, withAccess }: Dependencies) =>
  async ({ uid, connectionId, providerId, changes }: ChangeClientArgs): Promise<void> => {
    if (providerId === undefined) throw new Error(`expected client ${uid} to have an id at the provider`);
    await withAccess(connectionId, (call) => payments.updateClient(providerId, changes, call)).catch(
      (error: unknown) => {
        throw writeFailure(error);
      },
    );
  };
