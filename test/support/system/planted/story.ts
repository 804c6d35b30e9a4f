import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { signed } from '../../api/builders.js';
import { allowedAt } from '../../consents.js';
import { eventually } from '../../temporal.js';
import { backendOf, mandate, type Backend } from './backend.js';
import type { Noise, Words } from './markers.js';
import { carryBatch, onboardParty, registerParty } from './parties.js';
import type { PlantedStack } from './stack.js';

export interface Lived {
  connection: string;
  uids: readonly string[];
  code: string;
}

export async function liveThroughAll(stack: PlantedStack, words: Words, noise: Noise): Promise<Lived> {
  const backend = backendOf(stack);
  const connection = `con-${randomUUID()}`;
  const [agreement, refused, declined, byPhone] = ['full', 'refused', 'declined', 'by-phone'].map(
    (name) => `agr-${name}-${randomUUID()}`,
  ) as [string, string, string, string];
  const code = await consent(stack, backend, connection, noise);
  await carryAgreement(backend, { connection, agreement, words });
  const payments = await takePayments(stack, backend, { agreement, words, noise });
  const party = await registerParty(backend, connection, words);
  const onboarded = await onboardParty(backend, connection, words);
  const batched = await carryBatch(backend, connection, words);
  const wrong = { title: words.refusedTitle, detail: noise.refusedDetail };
  stack.door.answerBadly({
    ...CREATE,
    containing: refused,
    status: 422,
    body: errors('ZPAGR12', wrong),
    times: 1,
  });
  await backend.done('/v1/agreements?wait=20', byPayId(refused, connection, words.payerEmail, words));
  await backend.until(`/v1/agreements/${refused}`, 'state', 'failed');
  stack.sandbox.control.scriptPayer(declined, { simulate: 'debtor_decline' });
  await backend.done('/v1/agreements?wait=20', byPayId(declined, connection, words.payerPhone, words));
  await backend.until(`/v1/agreements/${declined}`, 'state', 'declined');
  await askBadly(stack, noise);
  await sweepNow(stack, connection);
  await backend.done(`/v1/agreements/${agreement}/cancellation?wait=20`, {
    narrative: words.cancellationNarrative,
  });
  await backend.until(`/v1/agreements/${agreement}`, 'state', 'cancelled');
  await refreshBadly(stack, backend, { connection, byPhone, words, noise });
  await deliverBadly(stack, { agreement: byPhone, words, noise });
  await backend.done(`/v1/connections/${connection}/revocation`, { reason: words.revocationReason });
  return {
    connection,
    uids: [agreement, refused, declined, byPhone, party, onboarded, batched, ...payments],
    code,
  };
}

const CREATE = { method: 'POST', ending: '/payto/agreements' };
const errors = (code: string, { title, detail }: { title: string; detail: string }): string =>
  JSON.stringify({ errors: [{ code, title, detail }] });

async function consent(
  { url }: PlantedStack,
  { done, until }: Backend,
  id: string,
  noise: Noise,
): Promise<string> {
  const { authorize_url: asked } = await done('/v1/connections', { id });
  const nonsense = new URLSearchParams({
    error: noise.callbackError,
    error_description: noise.query,
    state: noise.query,
  });
  expect((await fetch(`${url}/oauth/callback?${nonsense.toString()}`)).status).toBeGreaterThanOrEqual(400);
  const { url: back, cookie } = await allowedAt(String(asked));
  const code = new URL(back).searchParams.get('code') ?? '';
  expect((await fetch(back, { headers: { cookie } })).status).toBe(200);
  await until(`/v1/connections/${id}`, 'status', 'healthy');
  return code;
}

const byPayId = (uid: string, connection: string, value: string, { payerAddress }: Words) => ({
  ...mandate(uid, connection, value, value.startsWith('+') ? 'alias_phone' : 'alias_email'),
  payer: { requester_id: 'customer-77', remote_ip: payerAddress },
});

interface OneAgreement {
  connection: string;
  agreement: string;
  words: Words;
}

async function carryAgreement(
  { done, until }: Backend,
  { connection, agreement, words }: OneAgreement,
): Promise<void> {
  const path = `/v1/agreements/${agreement}`;
  await done('/v1/agreements?wait=20', {
    ...mandate(agreement, connection, words.payerAccount, 'bban'),
    description: words.description,
    debtor: { party_name: words.payerName, account_identifier: { type: 'bban', value: words.payerAccount } },
    creditor: {
      party_name: words.creditorName,
      ultimate_party_name: words.creditorUltimate,
      account_identifier: { type: 'bban', value: words.creditorAccount },
    },
    metadata: { customer: words.metadata },
  });
  await until(path, 'state', 'active');
  await done(`${path}/suspension?wait=20`, { narrative: words.suspensionNarrative });
  await until(path, 'state', 'suspended');
  await done(`${path}/reactivation?wait=20`, {});
  await until(path, 'state', 'active');
  const creditor = { party_name: words.amendedCreditor };
  await done(`${path}/amendment?wait=20`, { changes: { description: words.amendedDescription, creditor } });
  await until(path, 'pending_action', null);
}

interface Paying {
  agreement: string;
  words: Words;
  noise: Noise;
}

async function takePayments(
  { door, sandbox }: PlantedStack,
  { done, until }: Backend,
  { agreement, words, noise }: Paying,
): Promise<string[]> {
  const uids = ['settled', 'refused', 'lost', 'failed'].map((name) => `pay-${name}-${randomUUID()}`);
  const [settled = '', refused = '', lost = '', failed = ''] = uids;
  const pay = (uid: string) =>
    done(`/v1/agreements/${agreement}/payments?wait=20`, {
      uid,
      amount: 4200,
      reference: words.reference,
      description: words.paymentDescription,
      creditor_reference: words.creditorReference,
      metadata: { order: words.paymentMetadata },
    });
  await pay(settled);
  await until(`/v1/payments/${settled}`, 'state', 'settled');
  const why = { title: words.paymentRefusal, detail: words.paymentRefusal };
  const submission = { method: 'POST', ending: '/payto/payments' };
  door.answerBadly({
    ...submission,
    containing: refused,
    status: 422,
    body: errors('ZPPAY01', why),
    times: 1,
  });
  await pay(refused);
  await until(`/v1/payments/${refused}`, 'state', 'failed');
  door.answerBadly({
    ...submission,
    containing: lost,
    status: 502,
    body: noise.outage,
    type: 'text/html',
    times: 1,
  });
  door.answerBadly({ method: 'GET', ending: lost, status: 200, body: noise.garbledAnswer, times: 1 });
  await pay(lost);
  sandbox.control.scriptPayment(failed, { simulate: 'insufficient_funds' });
  await pay(failed);
  await until(`/v1/payments/${failed}`, 'state', 'failed');
  return uids;
}

async function deliverBadly(
  { url, secrets }: PlantedStack,
  { agreement, words, noise }: Paying,
): Promise<void> {
  const event = (type: string, description: string) =>
    JSON.stringify({
      data: {
        id: randomUUID(),
        type,
        resource_type: 'payto_agreement',
        resource_uid: agreement,
        published_at: new Date().toISOString(),
        body: { reason: { code: 'ZBDD', description }, narrative: description },
      },
    });
  const push = async (body: string, secret: string) =>
    (await fetch(`${url}/webhooks`, { method: 'POST', headers: signed(body, secret, Date.now()), body }))
      .status;
  expect(
    await push(event(`payto_agreement.${words.pushedType}`, words.pushedReason), secrets.webhook_secret),
  ).toBe(200);
  expect(await push(event('payto_agreement.cancelled', noise.forged), noise.forged)).toBe(401);
}

async function askBadly({ url, secrets }: PlantedStack, noise: Noise): Promise<void> {
  const ask = async (path: string, key: string, body?: string) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    return (
      await fetch(`${url}${path}`, { headers, ...(body === undefined ? {} : { method: 'POST', body }) })
    ).status;
  };
  const bad = JSON.stringify({ [noise.unknownField]: 1, uid: noise.badValue, debtor: noise.badValue });
  expect(await ask('/v1/agreements', secrets.api_key, bad)).toBe(400);
  expect(await ask('/v1/agreements', secrets.api_key, `{"${noise.badValue}`)).toBe(400);
  expect(await ask('/v1/agreements', noise.badKey)).toBe(401);
  expect(await ask(`/v1/agreements?state=${noise.query}`, secrets.api_key)).toBe(400);
  expect(await ask(`/v1/${noise.query}`, secrets.api_key)).toBe(404);
  expect(await ask(`/v1/agreements/${noise.query}`, secrets.api_key)).toBe(404);
}

async function sweepNow({ stranger }: PlantedStack, connection: string): Promise<void> {
  const {
    workflowService,
    options: { namespace },
  } = stranger;
  const scheduleId = `sweep/${connection}`;
  const query = `WorkflowType = 'sweep' AND ExecutionStatus = 'Completed'`;
  await eventually(
    () =>
      workflowService.describeSchedule({ namespace, scheduleId }).then(
        () => true,
        () => false,
      ),
    Boolean,
  );
  await stranger.schedule.getHandle(scheduleId).trigger();
  await eventually(
    () => stranger.workflow.count(query),
    ({ count }) => count > 0,
  );
}

async function refreshBadly(
  { door, sandbox }: PlantedStack,
  { done, until }: Backend,
  { connection, byPhone, words, noise }: { connection: string; byPhone: string; words: Words; noise: Noise },
): Promise<void> {
  await sandbox.control.advance(2 * 3600 + 1);
  const refusal = JSON.stringify({ error: 'temporarily_unavailable', error_description: noise.tokenRefusal });
  door.answerBadly({ method: 'POST', ending: '/token', status: 503, body: refusal, times: 1 });
  await done('/v1/agreements?wait=20', byPayId(byPhone, connection, '+61-411222333', words));
  await until(`/v1/agreements/${byPhone}`, 'state', 'active');
}
