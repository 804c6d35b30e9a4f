// A create whose workflow Temporal has deleted is answered from its record, and never starts twice.
import { createHash, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { secretOf } from '../../sealing/secret.js';
import { agreementWorkflowId } from '../../workflows/agreement/contract.js';
import { batchWorkflowId } from '../../workflows/batch/contract.js';
import { chunkWorkflowId } from '../../workflows/batch-chunk/contract.js';
import { clientWorkflowId } from '../../workflows/client/contract.js';
import { counterpartyWorkflowId } from '../../workflows/counterparty/contract.js';
import { onboardingWorkflowId } from '../../workflows/onboarding/contract.js';
import { anOnboarding } from '../support/an-onboarding.js';
import { forget } from '../support/forgotten.js';
import { overHttpWithProxy, overHttp } from '../support/over-http.js';
import { anAgreement, type Reply, type HttpStack } from '../support/http-stack.js';
import { eventually, useTemporal } from '../support/temporal.js';
import { A_BUSINESS, anAbn } from '../support/workflows/provider.js';
import type { ApiKey } from '../../api/http/api-keys.js';

const temporal = useTemporal();

interface Start {
  path: string;
  name: string;
  body: Record<string, unknown>;
  changed: Record<string, unknown>;
  /** The state in which its run is deleted. */
  state: string;
  runs: string[];
}

const startsOn = (connection: string): Start[] => {
  const [agreement, client, party] = ['agr', 'cli', 'cp'].map((kind) => `${kind}-${randomUUID()}`) as Names;
  const [onboarding, batch] = [`onb-${randomUUID()}`, `b-${randomUUID()}`];
  const parts = anOnboarding(connection);
  const legal_name = `Gym ${client}`;
  const australian_business_number = anAbn(legal_name);
  const [onboarded, row] = [parts.agreement, anAgreement()];
  return [
    {
      ...{ path: '/v1/agreements', name: agreement, state: 'active', runs: [agreementWorkflowId(agreement)] },
      body: { ...anAgreement(agreement), connection },
      changed: { description: 'Plan 78' },
    },
    {
      ...{ path: '/v1/clients', name: client, state: 'pending', runs: [clientWorkflowId(client)] },
      body: { ...A_BUSINESS, uid: client, connection, legal_name, australian_business_number },
      changed: { website_url: 'https://other.example' },
    },
    {
      ...{
        path: '/v1/counterparties',
        name: party,
        state: 'registered',
        runs: [counterpartyWorkflowId(party)],
      },
      body: { uid: party, connection, payment_accounts: parts.counterparty.payment_accounts },
      changed: {
        identity: undefined,
        payment_accounts: anOnboarding(connection).counterparty.payment_accounts,
      },
    },
    {
      ...{
        path: '/v1/onboardings',
        name: onboarding,
        state: 'done',
        runs: [onboardingWorkflowId(onboarding)],
      },
      body: { id: onboarding, connection, agreement: onboarded, payment: parts.payment },
      changed: { agreement: { ...onboarded, description: 'Plan 78' } },
    },
    {
      ...{ path: '/v1/batches', name: batch, state: 'done' },
      runs: [batchWorkflowId(batch), chunkWorkflowId(batch, 0)],
      body: { id: batch, kind: 'agreements', connection, rows: [row] },
      changed: { rows: [{ ...row, description: 'Plan 78' }] },
    },
  ];
};
type Names = [string, string, string];

const apiKey = (secret: string, over: Partial<ApiKey>): ApiKey => ({
  ...{ id: secret, principal: secret, scopes: ['read', 'write'] },
  sha256: secretOf(createHash('sha256').update(secret).digest()),
  ...over,
});
const withKey = (key: string) => ({ authorization: `Bearer ${key}` });

const until = (http: HttpStack, { path, name, state }: Start): Promise<Reply> =>
  eventually(
    () => http.get(`${path}/${name}`),
    ({ body }) => body['state'] === state,
  );

const creationsAt = ({ sandbox }: HttpStack): number =>
  sandbox.control.ledger().filter((entry) => entry.kind === 'call' && entry.operation.startsWith('create_'))
    .length;

async function deleteRuns({ runs }: Start): Promise<void> {
  // A run that has not ended is terminated first.
  for (const run of runs)
    await temporal.client.workflow
      .getHandle(run)
      .terminate()
      .catch(() => undefined);
  await forget(temporal, ...runs);
}

const codeAndErrors = ({ status, body: { code, detail, errors } }: Reply) => ({
  status,
  code,
  detail,
  errors,
});

test('what Temporal has forgotten is answered from its row, and another request is refused as before', async () => {
  const keys = [apiKey('another', {})];
  const work = async (http: HttpStack, connection: string) => {
    const elsewhere = `con-${randomUUID()}`;
    await http.consent(elsewhere);
    keys.push(apiKey('bound', { principal: 'test', connections: [elsewhere] }));
    const starts = startsOn(connection);
    for (const { path, body } of starts) expect(await http.post(path, body)).toMatchObject({ status: 202 });
    for (const start of starts) await until(http, start);
    await Promise.all(starts.map(deleteRuns));
    const sent = creationsAt(http);
    for (const { path, body, changed, state } of starts) {
      expect(await http.post(path, body)).toMatchObject({ status: 202, body: { state } });
      const conflict = { status: 422, body: { code: 'idempotency_conflict' } };
      expect(await http.post(path, { ...body, ...changed })).toMatchObject(conflict);
      const onAnother = { ...body, connection: elsewhere };
      expect(await http.post(path, onAnother)).toMatchObject(conflict);
      const ofAnother = await http.post(path, body, withKey('another'));
      expect(ofAnother).toMatchObject(conflict);
      expect(ofAnother.body['detail']).toMatch(/^Another caller has already used this (uid|id)\./);
      const bound = await http.post(path, onAnother, withKey('bound'));
      expect(codeAndErrors(bound)).toEqual(codeAndErrors(ofAnother));
    }
    expect(creationsAt(http)).toBe(sent);
    for (const run of starts.flatMap(({ runs }) => runs))
      await expect(temporal.client.workflow.getHandle(run).describe()).rejects.toThrow();
  };
  await overHttp(temporal, work, undefined, { keys });
});

test('while the records are away, creates and their repeats go on', async () => {
  await overHttpWithProxy(temporal, async (http, connection, proxy) => {
    const starts = startsOn(connection);
    proxy.cut();
    for (const { path, body } of [...starts, ...starts])
      expect(await http.post(path, body)).toMatchObject({ status: 202 });
    proxy.mend();
    for (const start of starts) await until(http, start);
  });
});
