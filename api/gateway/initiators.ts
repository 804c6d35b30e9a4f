// Reads the clients and payment accounts that agreements refer to.
import { paymentAccountsOf } from '../../domain/client/may-initiate.js';
import type { InitiationReader, PaymentAccount } from '../../domain/client/may-initiate.js';
import type { ClientView } from '../../workflows/client/contract.js';
import type { CounterpartyView } from '../../workflows/counterparty/contract.js';
import { ApiError } from '../http/problems/errors.js';
import type { ClientsGateway } from './clients.js';
import type { Recorded } from './records.js';

/** Maximum number of counterparties to read for one account uid: refused ones, and one that was registered. */
const MOST_OF_ONE_UID = 10;

/** While the records are away, nothing is found. The provider then judges alone, and new agreements continue. */
export const createInitiators = (
  { ask }: Pick<Recorded, 'ask'>,
  clients: Pick<ClientsGateway, 'view' | 'uidOf'>,
): InitiationReader => ({
  client: (clientId) =>
    unlessAway(async (): Promise<ClientView | undefined> => {
      const uid = await clients.uidOf(clientId);
      return uid === undefined ? undefined : clients.view(uid);
    }),
  account: (uid) =>
    unlessAway(async (): Promise<PaymentAccount | undefined> => {
      const views = await ask(({ counterpartiesWith }) => counterpartiesWith(uid, MOST_OF_ONE_UID));
      const found = (views as CounterpartyView[])
        .flatMap(paymentAccountsOf)
        .flatMap(([of, account]) => (of === uid ? [account] : []));
      return found.find(({ isRegistered }) => isRegistered) ?? found[0];
    }),
});

const unlessAway = <Found>(find: () => Promise<Found | undefined>): Promise<Found | undefined> =>
  find().catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'records_unavailable') return undefined;
    throw error;
  });
