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

const anIncomingMessage = (payment: string, overrides: object = {}) => ({
  simulate_action_request: true,
  investigation_type_code: 'INV13',
  investigation_reason_code: 'CUST',
  original_transaction_identification: payment,
  narrative: '/Key/Value/',
  ...overrides,
});
const simulate = async ({ caller, control }: World, overrides: object = {}, payment?: string) => {
  const uid = payment ?? (await aSettledPayment({ caller, control }));
  const answer = await caller.post(`${ROOT}/simulate_incoming_message`, anIncomingMessage(uid, overrides));
  await control.advance(1);
  return answer;
};

const Resource = z.object({ id: z.string(), type: z.string(), attributes: z.looseObject({}) });
const received = ({ receiver }: World) =>
  receiver.received.flatMap(({ json }) => Resource.safeParse(json).data ?? []);
const eventTypes = async ({ caller, control }: World) => {
  await control.flushWebhooks();
  const [webhook] = (await caller.get('/webhooks')).list;
  const { list } = await caller.get(`/webhooks/${webhook?.id}/deliveries`);
  return list
    .map(({ event_type }) => event_type)
    .filter((type) => String(type).startsWith('investigations.'));
};

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
  expect(await eventTypes(world)).toEqual(
    ['message_sent', 'action_requested', 'message_received'].map((name) => `investigations.${name}`),
  );
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

test.each([
  ['an unknown payment', {}, 'pay-none'],
  ['a type without an action request', { investigation_type_code: 'INV1' }, undefined],
  ['an unknown field', { surprise: 1 }, undefined],
])('a simulation with %s is refused with 400', async (_, overrides, payment) => {
  expect((await simulate(await aWorld(), overrides, payment)).status).toBe(400);
});

test.each([
  ['accept', ACCEPTANCE, 404],
  ['reject', REJECTION, 400],
  ['accept', REJECTION, 404],
])('%s of an unknown action request is refused (case %#)', async (verb, body, status) => {
  const { caller } = await aWorld();
  expect((await caller.post(`${ROOT}/action_requests/none/${verb}`, body)).status).toBe(status);
});

test.each([
  ['accepts a PDF', new File(['%PDF-1.7 …'], 'proof.pdf', { type: 'application/pdf' }), 200],
  ['refuses text declared as a PDF', new File(['hello'], 'proof.pdf', { type: 'application/pdf' }), 400],
  ['refuses a text file', new File(['%PDF-1.7'], 'proof.txt', { type: 'text/plain' }), 400],
  ['refuses a missing file', 'proof', 400],
])('evidence upload %s', async (_, file, status) => {
  const world = await aWorld();
  const path = await anActionRequest(world);
  const body = new FormData();
  body.set('file', file);
  const { access } = await consent(world.url);
  const headers = { authorization: `Bearer ${access}`, 'Service-API-Version': '20260101' };
  const answer = await fetch(`${world.url}${path}/upload`, { method: 'POST', headers, body });
  expect(answer.status).toBe(status);
  expect(await answer.json()).toMatchObject({ jsonapi: { version: '1.0' } });
  const uploads = status === 200 ? [{ type: 'uploads' }] : [];
  expect(await theDispute(world)).toMatchObject({ relationships: { uploads: { data: uploads } } });
});
