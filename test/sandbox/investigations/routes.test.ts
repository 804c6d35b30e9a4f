// A message of a bank opens a dispute, which the merchant closes by accepting or rejecting its action request.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { consent } from '../../support/sandbox/caller.js';
import { aSettledPayment } from '../../support/sandbox/payments.js';
import { aWorld, type World } from '../../support/sandbox/world.js';

const ROOT = '/investigations';
const ACCEPTANCE = {
  amount_returned: { currency: 'AUD', value: 100 },
  return_transaction_identification: 'return-1',
};
const REJECTION = { reason: { code: 'NAUT', description: 'Item was delivered' } };

async function simulate({ caller, control }: World, overrides: object = {}, payment?: string) {
  const answer = await caller.post(`${ROOT}/simulate_incoming_message`, {
    simulate_action_request: true,
    investigation_type_code: 'INV13',
    investigation_reason_code: 'CUST',
    original_transaction_identification: payment ?? (await aSettledPayment({ caller, control })),
    narrative: '/Key/Value/',
    ...overrides,
  });
  await control.advance(1);
  return answer;
}

const Resource = z.object({ id: z.string(), type: z.string(), attributes: z.looseObject({}) });
const received = ({ receiver }: World) =>
  receiver.received.flatMap(({ json }) => Resource.safeParse(json).data ?? []);

async function eventTypes({ caller, control }: World): Promise<string[]> {
  await control.flushWebhooks();
  const [webhook] = (await caller.get('/webhooks')).list;
  const { list } = await caller.get(`/webhooks/${webhook?.id}/deliveries`);
  return list.map((row) => String(row['event_type'])).filter((type) => type.startsWith('investigations.'));
}

async function anActionRequest(world: World): Promise<string> {
  await simulate(world);
  return `${ROOT}/action_requests/${received(world).at(-1)?.id}`;
}

async function theDispute({ caller }: World) {
  const [dispute] = (await caller.get(`${ROOT}/disputes`)).list;
  return (await caller.get(`${ROOT}/disputes/${dispute?.id}`)).data;
}

test.each([
  ['accept', ACCEPTANCE, 'Merchant accepted dispute'],
  ['reject', REJECTION, 'Merchant rejected dispute'],
])('a dispute is raised, sent to the merchant and closed by %s', async (verb, body, title) => {
  const world = await aWorld();
  const path = await anActionRequest(world);
  expect(await theDispute(world)).toMatchObject({ attributes: { state: 'awaiting_merchant' } });
  const answer = await world.caller.post(`${path}/${verb}`, body);
  expect(answer).toMatchObject({ status: 200, data: { type: 'disputes', attributes: { state: 'closed' } } });
  const events = [{ title: 'OFI raised dispute' }, { title: 'Merchant action requested' }, { title }];
  expect(await theDispute(world)).toMatchObject({
    relationships: { events: { data: events.map((attributes) => ({ type: 'events', attributes })) } },
  });
  const names = ['message_sent', 'action_requested', 'message_received'];
  expect(await eventTypes(world)).toEqual(names.map((name) => `investigations.${name}`));
  expect(received(world).map(({ type, attributes }) => [type, attributes['direction']])).toEqual([
    ['messages', 'incoming'],
    ['events', undefined],
    ['messages', 'outgoing'],
  ]);
  expect((await world.caller.post(`${path}/${verb}`, body)).status).toBe(400);
});

test('a dispute without an action request stays open', async () => {
  const world = await aWorld();
  await simulate(world, { simulate_action_request: false, investigation_type_code: 'INV1' });
  expect(await theDispute(world)).toMatchObject({ attributes: { state: 'open' } });
});

test('invalid messages and unknown action requests are refused', async () => {
  const world = await aWorld();
  expect((await simulate(world, {}, 'pay-none')).status).toBe(400);
  expect((await simulate(world, { investigation_type_code: 'INV1' })).status).toBe(400);
  expect((await simulate(world, { surprise: 1 })).status).toBe(400);
  const decide = async (verb: string, body: object) =>
    (await world.caller.post(`${ROOT}/action_requests/none/${verb}`, body)).status;
  const statuses = [await decide('accept', ACCEPTANCE), await decide('reject', REJECTION)];
  expect([...statuses, await decide('accept', REJECTION)]).toEqual([404, 400, 404]);
});

test('evidence must be a file that is a PDF', async () => {
  const world = await aWorld();
  const path = await anActionRequest(world);
  const { access } = await consent(world.url);
  const headers = { authorization: `Bearer ${access}`, 'Service-API-Version': '20260101' };
  const pdf = { type: 'application/pdf' };
  for (const [file, status, uploads] of [
    [new File(['hello'], 'proof.pdf', pdf), 400, []],
    [new File(['%PDF-1.7'], 'proof.txt', { type: 'text/plain' }), 400, []],
    ['proof', 400, []],
    [new File(['%PDF-1.7 …'], 'proof.pdf', pdf), 200, [{ type: 'uploads' }]],
  ] as const) {
    const body = new FormData();
    body.set('file', file);
    const answer = await fetch(`${world.url}${path}/upload`, { method: 'POST', headers, body });
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ jsonapi: { version: '1.0' } });
    expect(await theDispute(world)).toMatchObject({ relationships: { uploads: { data: uploads } } });
  }
});
