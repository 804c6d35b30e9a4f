// A worker starts nothing again that Temporal has deleted.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { agreementWorkflowId } from '../../workflows/agreement/contract.js';
import { clientWorkflowId } from '../../workflows/client/contract.js';
import { anOnboarding } from '../support/an-onboarding.js';
import { aFact, asOwner, forget, late, terminateAndForget } from '../support/forgotten.js';
import { active, callsOf, overHttpWithProxy, overHttp } from '../support/over-http.js';
import { anAgreement, type HttpStack } from '../support/http-stack.js';
import { eventually, skipTime, useTemporal } from '../support/temporal.js';
import { A_BUSINESS, anAbn } from '../support/workflows/provider.js';
import type { PaymentsApi } from '../../payments-api/client.js';
import type { AgreementBody } from '../support/backend.js';

const temporal = useTemporal();

/** An agreement that was cancelled and forgotten. */
async function cancelled(http: HttpStack, connection: string) {
  const agreement = anAgreement(undefined, { connection });
  await http.backend.create(agreement);
  await http.backend.cancel(agreement.uid, { reason: 'customer_requested' } as never);
  await http.backend.untilAgreement(agreement.uid, ({ state }) => state === 'cancelled');
  await forget(temporal, agreementWorkflowId(agreement.uid));
  return agreement;
}

const bare = ({ connection: _, ...agreement }: AgreementBody) => agreement;

async function post(http: HttpStack, connection: string, rows: AgreementBody[]): Promise<string> {
  const id = `b-${randomUUID()}`;
  const kind = 'agreements';
  const posted = await http.post('/v1/batches', { id, connection, kind, rows: rows.map(bare) });
  expect(posted).toMatchObject({ status: 202 });
  return id;
}

async function batchOf(http: HttpStack, connection: string, rows: AgreementBody[]): Promise<unknown> {
  const id = await post(http, connection, rows);
  await eventually(
    () => http.get(`/v1/batches/${id}`),
    ({ body }) => body['state'] === 'done',
  );
  return (await http.get(`/v1/batches/${id}/rows?per_page=100`)).body['data'];
}

test('rows and onboardings that name a forgotten agreement are answered from its record, and nothing is sent', async () => {
  await overHttp(temporal, async (http, connection) => {
    const { backend } = http;
    const one = await cancelled(http, connection);
    const other = `con-${randomUUID()}`;
    await http.consent(other);
    const conflict = { outcome: 'refused', refusals: [{ code: 'idempotency_conflict' }] };
    const changed = { ...one, description: 'Another' };
    expect(await batchOf(http, connection, [one])).toMatchObject([{ outcome: 'done', state: 'cancelled' }]);
    expect(await batchOf(http, connection, [changed])).toMatchObject([conflict]);
    expect(await batchOf(http, other, [one])).toMatchObject([conflict]);
    const onboarded = async (on: string, agreement: AgreementBody) => {
      const id = `onb-${randomUUID()}`;
      const posted = await backend.onboard({ id, connection: on, agreement: bare(agreement) });
      expect(posted).toMatchObject({ status: 202 });
      const stopped = await backend.untilOnboarding(id, ({ state }) => state === 'stopped');
      return stopped.steps.find(({ state }) => state === 'stopped')?.resource?.state;
    };
    expect(await onboarded(connection, one)).toBe('cancelled');
    expect(await onboarded(connection, changed)).toBe('other');
    expect(await onboarded(other, one)).toBe('other');
    expect(callsOf(http, 'create_agreement', one.uid)).toHaveLength(1);
    expect((await backend.agreement(one.uid)).data).toMatchObject({ state: 'cancelled', attention: [] });
  });
});

test('an agreement that only events have named, and that Temporal has forgotten, is claimed by a row and keeps its identity', async () => {
  await overHttp(temporal, async (http, connection) => {
    const one = anAgreement(undefined, { connection });
    const { uid } = one;
    await late(temporal, { resource: 'agreement', uid }, aFact('created'), connection);
    const row = asOwner().selectFrom('agreements').where('uid', '=', uid);
    await eventually(
      () => row.select('state').execute(),
      ({ length }) => length === 1,
    );
    await terminateAndForget(temporal, agreementWorkflowId(uid));
    // As after the search of a whole day.
    await asOwner().updateTable('agreements').set({ state: 'unknown' }).where('uid', '=', uid).execute();
    await post(http, connection, [one]);
    await eventually(
      () =>
        temporal.client.workflow
          .getHandle(agreementWorkflowId(uid))
          .describe()
          .catch(() => undefined),
      (run) => run !== undefined,
    );
    await skipTime(temporal.client, agreementWorkflowId(uid));
    const claimed = await http.backend.untilAgreement(uid, ({ state }) => state === 'active');
    expect(claimed).toMatchObject({ requested_by: 'test', description: one.description, attention: [] });
    expect(callsOf(http, 'create_agreement', uid)).toHaveLength(1);
  });
});

test('a business is registered again after its failed client is forgotten', async () => {
  const provider = { refuses: true };
  const between = (real: PaymentsApi): PaymentsApi => ({
    ...real,
    createClient: (order, of) =>
      real.createClient(provider.refuses ? { ...order, merchant_category_code: '1234' } : order, of),
  });
  const work = async ({ backend }: HttpStack, connection: string) => {
    const requested = anOnboarding(connection);
    const legal_name = `Again ${randomUUID()} Pty Ltd`;
    const business = { ...A_BUSINESS, legal_name, australian_business_number: anAbn(legal_name) };
    const [first, second] = [`cli-${randomUUID()}`, `cli-${randomUUID()}`];
    const { counterparty: _c, payment: _p, ...rest } = requested;
    const one = { ...rest, client: { uid: first, ...business } };
    await backend.onboard(one);
    await backend.untilOnboarding(one.id, ({ state }) => state === 'stopped');
    await forget(temporal, clientWorkflowId(first));
    provider.refuses = false;
    const again = { ...rest, id: `onb-${randomUUID()}`, client: { uid: second, ...business } };
    await backend.onboard(again);
    await backend.untilClient(second, ({ client_id }) => client_id !== null);
    const third = await backend.register({ ...business, uid: `cli-${randomUUID()}`, connection });
    expect(third).toMatchObject({ status: 409, problem: { code: 'business_already_registered' } });
  };
  await overHttp(temporal, work, undefined, { between });
});

test('while the records are away, rows and onboardings go on', async () => {
  await overHttpWithProxy(temporal, async (http, connection, proxy) => {
    const agreement = await active(http, connection);
    proxy.cut();
    const row = anAgreement();
    const id = `b-${randomUUID()}`;
    const rows = [row];
    expect((await http.post('/v1/batches', { id, connection, kind: 'agreements', rows })).status).toBe(202);
    const { client: _, counterparty: __, ...requested } = anOnboarding(connection);
    const uid = `agr-${randomUUID()}`;
    await http.backend.onboard({ ...requested, agreement: { ...requested.agreement, uid } });
    for (const one of [row.uid, uid])
      await eventually(
        () => Promise.resolve(callsOf(http, 'create_agreement', one)),
        ({ length }) => length === 1,
      );
    proxy.mend();
    for (const one of [row.uid, uid, agreement])
      await http.backend.untilAgreement(one, ({ state }) => state === 'active');
  });
});
