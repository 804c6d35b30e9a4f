import { writeFailure } from '../failure.js';
import type { ClientChanges } from '../../domain/client/request.schema.js';
import type { Dependencies } from '../dependencies.js';
import type { Ref } from '../resource/snapshot.js';

/** Safe to repeat: the changes state the desired values. */
export interface ChangeClientArgs extends Ref {
  changes: ClientChanges;
}

export const changeClientActivity =
  ({ payments, withAccess }: Dependencies) =>
  async ({ uid, connectionId, providerId, changes }: ChangeClientArgs): Promise<void> => {
    if (providerId === undefined) throw new Error(`client ${uid} has no providerId yet`);
    await withAccess(connectionId, (call) => payments.updateClient(providerId, changes, call)).catch(
      (error: unknown) => {
        throw writeFailure(error);
      },
    );
  };
