// A client is registered and changed once despite lost answers.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { clientWorkflowId } from '../../workflows/client/contract.js';
import { A_BUSINESS, anAbn } from '../support/workflows/provider.js';
import { anAgreement, type HttpStack } from '../support/http-stack.js';
import { overHttp } from '../support/over-http.js';
import { eventually, skipTime, useTemporal } from '../support/temporal.js';

const temporal = useTemporal();
const aClient = (connection: string, legal_name: string) => ({
  uid: `cli-${randomUUID()}`,
  connection,
  ...A_BUSINESS,
  legal_name,
  australian_business_number: anAbn(legal_name),
});
const clientsAt = ({ sandbox }: HttpStack) => sandbox.control.state().clients.map(({ id }) => id);

test('a client is registered once despite a lost answer and initiates agreements only while active', async () => {
  await overHttp(temporal, async (http, connection) => {
    const { backend, sandbox } = http;
    const before = clientsAt(http);
    const requested = { ...aClient(connection, 'Corner Gym Pty Ltd'), business_names: ['Corner Gym'] };
    const { uid } = requested;
    sandbox.control.addFault({ on: 'create_client', do: 'cut_after_commit', times: 1 });
    expect(await backend.register(requested)).toMatchObject({ status: 202, data: { state: 'requested' } });
    await backend.untilClient(uid, ({ awaiting }) => awaiting.what === 'submission-outcome');
    await skipTime(temporal.client, clientWorkflowId(uid));
    const { client_id } = await backend.untilClient(uid, ({ state }) => state === 'pending');
    if (client_id === null) throw new Error('expected the provider to assign a client id');
    expect(clientsAt(http).filter((id) => !before.includes(id))).toEqual([client_id]);

    const isListedAs = (state: string) =>
      eventually(
        async () => (await http.get(`/v1/clients?connection=${connection}&state=${state}`)).body['data'],
        (data) => Array.isArray(data) && data.some((one: { uid?: string }) => one.uid === uid),
      );
    await isListedAs('pending');
    const initiated = () => anAgreement(undefined, { connection, initiator: { client_id } });
    expect(await backend.create(initiated(), 0)).toMatchObject({
      status: 422,
      problem: { code: 'client_not_active', errors: [{ pointer: '/initiator/client_id' }] },
    });
    const set = (status: 'active' | 'suspended') =>
      sandbox.control.setClientService(client_id, 'payto', status);
    const shows = async (status: 'active' | 'suspended') => {
      set(status);
      await backend.lookUpClient(uid);
      await eventually(
        async () => {
          await skipTime(temporal.client, clientWorkflowId(uid));
          return (await backend.client(uid)).data;
        },
        (seen) => seen?.state === status,
      );
      await isListedAs(status);
    };
    await shows('active');
    const agreement = initiated();
    expect((await backend.create(agreement)).data).toMatchObject({ state: 'active' });
    const listed = await eventually(
      async () => (await http.get(`/v1/agreements?client=${client_id}`)).body['data'],
      (data) => Array.isArray(data) && data.length > 0,
    );
    expect(listed).toMatchObject([{ uid: agreement.uid }]);

    await shows('suspended');
    const refused = await backend.create(initiated(), 0);
    expect(refused.problem?.errors?.[0]?.detail).toContain('suspended');
    expect((await backend.create(agreement)).data).toMatchObject({ state: 'active' });
    expect((await backend.client(uid)).data).toMatchObject({ running_agreements: { own: 1, beneath: 0 } });

    const again = await backend.register({ ...requested, uid: `cli-${randomUUID()}` });
    expect(again).toMatchObject({ status: 409, problem: { code: 'business_already_registered' } });
    expect(again.problem?.detail).toContain(`/v1/clients/${uid} `);
  });
});

test('a client change is sent once per key, and a third level of clients is refused', async () => {
  await overHttp(temporal, async ({ backend, sandbox }, connection) => {
    const { uid, ...requested } = aClient(connection, 'One Pty Ltd');
    await backend.register({ uid, ...requested });
    const { client_id } = await backend.untilClient(uid, ({ state }) => state === 'pending');
    const change = { business_names: ['One and Only'] };
    for (const key of ['k1', 'k1'])
      expect(await backend.changeClient(uid, change, key)).toMatchObject({ status: 202 });
    const changed = await backend.untilClient(uid, ({ changes }) => changes[0]?.stage === 'accepted');
    expect(changed.changes).toMatchObject([{ fields: ['business_names'], failure: null }]);
    await backend.untilClient(uid, ({ business_names }) => business_names?.[0] === 'One and Only');
    const sent = sandbox.control
      .ledger()
      .filter((entry) => entry.kind === 'call' && entry.operation === 'update_client');
    expect(sent).toHaveLength(1);

    const parent_client_id = client_id ?? '';
    const beneath = await eventually(
      () => backend.register({ ...aClient(connection, 'Two Pty Ltd'), parent_client_id }),
      ({ status }) => status === 422,
    );
    expect(beneath.problem).toMatchObject({
      code: 'parent_not_allowed',
      errors: [{ pointer: '/parent_client_id' }],
    });
  });
});
