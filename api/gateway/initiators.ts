// Reads the clients and payment accounts that agreements refer to.
import { paymentAccountsOf } from '../../domain/client/may-initiate.js';
import type { InitiationReader, PaymentAccount } from '../../domain/client/may-initiate.js';
import { UID } from '../../domain/provider/uid.js';
import { COUNTERPARTY_WORKFLOW, counterpartyWorkflowId } from '../../workflows/counterparty/contract.js';
import type { ClientsGateway } from './clients.js';
import type { CounterpartiesGateway } from './counterparties.js';
import type { Calls } from './temporal/calls.js';
import { readingRuns } from './temporal/lists.js';

/** Maximum number of counterparties to read for one account uid: refused ones, and one that was registered. */
const MOST_OF_ONE_UID = 10;

export const createInitiators = (
  calls: Calls,
  clients: Pick<ClientsGateway, 'view' | 'uidOf'>,
  counterparties: Pick<CounterpartiesGateway, 'view'>,
): InitiationReader => ({
  client: async (clientId) => {
    const uid = await clients.uidOf(clientId);
    return uid === undefined ? undefined : clients.view(uid);
  },
  account: async (uid) => {
    // Any other form could break out of the quotes in the query.
    if (!UID.test(uid)) return undefined;
    const read = readingRuns(calls, COUNTERPARTY_WORKFLOW);
    const { runs } = await read([`PaymentAccountUids = '${uid}'`], MOST_OF_ONE_UID, '');
    const found: PaymentAccount[] = [];
    for (const { workflowId } of runs) {
      const view = await counterparties.view(workflowId.slice(counterpartyWorkflowId('').length));
      if (view !== undefined)
        found.push(...paymentAccountsOf(view).flatMap(([of, account]) => (of === uid ? [account] : [])));
    }
    return found.find(({ isRegistered }) => isRegistered) ?? found[0];
  },
});
