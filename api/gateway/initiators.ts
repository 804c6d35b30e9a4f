// Reads the clients and payment accounts that agreements refer to.
import { paymentAccountsOf, type InitiationReader } from '../../domain/client/may-initiate.js';
import type { CounterpartyView } from '../../workflows/counterparty/contract.js';
import type { ClientsGateway } from './clients.js';
import { noneIfAway, type Recorded } from './records.js';

/** Maximum number of counterparties to read for one account uid: refused ones, and one that was registered. */
const MOST_OF_ONE_UID = 10;

/** While the records are away, nothing is found. The provider then judges alone, and new agreements continue. */
export const createInitiators = (
  { ask }: Pick<Recorded, 'ask'>,
  clients: Pick<ClientsGateway, 'view' | 'uidOf'>,
): InitiationReader => ({
  client: async (clientId) => {
    const uid = await clients.uidOf(clientId).catch(noneIfAway);
    return uid === undefined ? undefined : clients.view(uid);
  },
  account: async (uid) => {
    const views = await ask((reader) => reader.counterpartiesWith(uid, MOST_OF_ONE_UID)).catch(noneIfAway);
    const found = ((views ?? []) as CounterpartyView[])
      .flatMap(paymentAccountsOf)
      .flatMap(([of, account]) => (of === uid ? [account] : []));
    return found.find(({ isRegistered }) => isRegistered) ?? found[0];
  },
});
