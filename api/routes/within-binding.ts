// Clients and payment accounts as a key that is bound to connections finds them: those of other connections are unknown to it, also in checks
// of what its requests name.
import type { InitiationReader } from '../../domain/client/may-initiate.js';
import { mayUse, type Caller } from '../http/caller.js';
import type { ApiDependencies } from '../http/dependencies.js';

export function withinBinding<Some extends Pick<ApiDependencies, 'temporal'>>(
  dependencies: Some,
  { connections }: Pick<Caller, 'connections'>,
): Some {
  if (connections === undefined) return dependencies;
  const { temporal } = dependencies;
  const { initiators, clients } = temporal;
  const ofKey = <Found extends { connectionId?: string | undefined }>(found: Found | undefined) =>
    found !== undefined && mayUse(connections, found.connectionId) ? found : undefined;
  const reader: InitiationReader = {
    client: async (clientId) => ofKey(await initiators.client(clientId)),
    account: async (uid) => ofKey(await initiators.account(uid)),
  };
  const view = async (uid: string) => ofKey(await clients.view(uid));
  const uidOf = async (clientId: string) => {
    const uid = await clients.uidOf(clientId);
    return uid !== undefined && (await view(uid)) !== undefined ? uid : undefined;
  };
  return {
    ...dependencies,
    temporal: { ...temporal, initiators: reader, clients: { ...clients, view, uidOf } },
  };
}
