import { Client, Connection } from '@temporalio/client';
import { expect, test, vi } from 'vitest';
import { createAgreementsGateway } from '../../../api/gateway/agreements.js';
import { createClientsGateway } from '../../../api/gateway/clients.js';
import { createCounterpartiesGateway } from '../../../api/gateway/counterparties.js';
import { createRecorded } from '../../../api/gateway/records.js';
import { createCalls } from '../../../api/gateway/temporal/calls.js';
import { aMandate } from '../../support/api/builders.js';
import { RECORDS_AWAY } from '../../support/records-away.js';
import { aClientOrder, aCounterpartyOrder } from '../../support/workflows/provider.js';

test('while the records are away, new resources start, and know that nothing was checked', async () => {
  const client = new Client({ connection: Connection.lazy() });
  const start = vi.spyOn(client.workflow, 'start').mockResolvedValue({ firstExecutionRunId: 'r-1' } as never);
  const recorded = createRecorded(RECORDS_AWAY);
  const calls = {
    ...createCalls({ client, taskQueue: 'payto', recorded }),
    read: vi.fn().mockResolvedValue(undefined),
  };
  const choose = () => Promise.resolve('acme');
  const caller = { principal: 'shop', connections: undefined };
  const common = { connection: 'acme', caller, payer: undefined };
  const uidOn = () => 'cli-1';
  const on = () => ({ uid: 'cp-1', order: aCounterpartyOrder() });
  await createAgreementsGateway(calls, choose).start({ ...common, uid: 'agr-1', mandate: aMandate() });
  await createClientsGateway(calls, choose).start({ ...common, uidOn, order: aClientOrder(), depth: 1 });
  await createCounterpartiesGateway(calls, choose).start({ ...common, on });
  for (const workflow of ['agreement', 'client', 'counterparty'])
    expect(start).toHaveBeenCalledWith(
      workflow,
      expect.objectContaining({ args: [expect.objectContaining({ isUnchecked: true })] }),
    );
});
