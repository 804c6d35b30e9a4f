import { all } from '../../tools/conform/walk-payto.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EVENTS, type EventCase, type PayToEventType } from '../../tools/conform/events.js';
import {
  BODIES,
  UNMATCHED_CREDIT,
  envelope,
  historyEntry,
  unmatchedCredit,
  type Envelope,
} from '../support/payments-api/event-shapes.js';
import { NEW_TERMS } from '../../tools/conform/requests.js';
import {
  activeAgreement,
  amendedAgreement,
  incomingCredit,
  paymentAfter,
} from '../../tools/conform/resources.js';
import { startWorld, type World } from '../support/payments-api/contract-world.js';
import { createVerifier, readNotifications, type Notification } from '../../payments-api/webhook.js';
import { pageOf } from '../support/payments-api/resource-shapes.js';
import type { Fact } from '../../domain/facts/fact.js';
import type { Received } from '../support/sandbox/receiver.js';

const utc = (written: string): string => new Date(written).toISOString();

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const TYPES = Object.keys(BODIES).filter((type): type is PayToEventType => type in BODIES);
const INVESTIGATIONS = ['action_requested', 'message_received', 'message_sent'].map(
  (of) => `investigations.${of}`,
);
const rows = TYPES.flatMap((type) => EVENTS[type].map((one: EventCase) => ({ type, ...one })));

const verify = createVerifier({
  verifier: 'hmac',
  secrets: ['of-before', 'sandbox-webhook-secret'],
  signatureHeader: 'Service-Signature',
  toleranceSeconds: 300,
});

function notificationIn({ headers, raw }: Received): Notification {
  const body = Buffer.from(raw);
  const verdict = verify(body, (name) => String(headers[name.toLowerCase()]), Date.now());
  expect(verdict).toEqual({ ok: true, authenticatesBody: true });
  expect(headers['service-request-id']).toMatch(/^[\da-f-]{36}$/);
  const receipt = { receivedAt: new Date().toISOString(), authenticated: true };
  const [notification, ...rest] = readNotifications(body, receipt);
  if (notification === undefined || rest.length > 0) throw new Error('expected one notification');
  return notification;
}

async function pushed(type: PayToEventType, uid: string): Promise<{ sent: Envelope; webhook: Received }> {
  await world.control.flushWebhooks();
  const webhook = world.receiver.received.findLast(({ json }) => {
    const { success, data } = envelope.safeParse(json);
    return success && data.data.type === type && data.data.resource_uid === uid;
  });
  if (webhook === undefined) throw new Error(`expected a webhook of type ${type}; received none`);
  return { sent: envelope.parse(webhook.json), webhook };
}

function lostFrom(body: unknown, fact: Fact): string[] {
  return leavesOf(body)
    .filter(([path, value]) => {
      const [first = '', ...rest] = path;
      const kept =
        first === 'caused_by' && rest.length === 0
          ? fact.causedBy
          : first === 'reason'
            ? at(fact.reason, rest)
            : at(fact.detail, path);
      return kept !== value;
    })
    .map(([path]) => path.join('.'));
}

function leavesOf(value: unknown, path: string[] = []): [string[], unknown][] {
  if (value === null || value === undefined) return [];
  if (typeof value !== 'object') return [[path, value]];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
}

const at = (value: unknown, path: readonly string[]): unknown =>
  path.reduce((inner: unknown, key) => Reflect.get(Object(inner), key), value);

async function expectInHistory(uid: string, sent: Envelope['data'], fact: Fact): Promise<void> {
  const facts = await world.api.getAgreementHistory(uid, world.call);
  const entries = pageOf(historyEntry).parse(world.last().body).data;
  const { resource_metadata, ...words } = sent;
  expect(entries.find(({ id }) => id === sent.id)).toEqual({
    ...words,
    published_at: utc(words.published_at),
  });
  const { resource_metadata: metadata, ...detail } = fact.detail ?? {};
  expect(metadata).toEqual(resource_metadata);
  expect(facts.find(({ id }) => id === fact.id)).toEqual({
    ...{ ...fact, source: 'history', receivedAt: expect.any(String) as string },
    detail: Object.keys(detail).length > 0 ? detail : undefined,
  });
}

const RESOURCE = { payto_agreement: 'agreement', payto_payment: 'payment', payto_refund: 'refund' } as const;
function factType(type: PayToEventType): string {
  const bare = type.replace(/^payto_(agreement|payment|refund)\./, '');
  return bare === 'amended_recalled' ? 'amendment_recalled' : bare;
}

test('both sides list the same event types', async () => {
  const [webhook] = await all(world.api.listWebhooks(world.call));
  expect([...(webhook?.events ?? [])].sort()).toEqual([...TYPES, UNMATCHED_CREDIT, ...INVESTIGATIONS].sort());
});

describe('webhook', () => {
  test.each(rows)(
    '$type of $of is read completely, as in the history',
    async ({ type, bring, causedBy, code, narrative }) => {
      const uid = await bring(world);
      const { sent, webhook } = await pushed(type, uid);
      const { data, links } = sent;
      BODIES[type].parse(data.body);
      expect(links.resource.startsWith(`${world.url}/payto/`)).toBe(true);
      expect(links.resource.endsWith(`/${uid}`)).toBe(true);
      const notification = notificationIn(webhook);
      expect(notification).toMatchObject({
        resource: RESOURCE[data.resource_type],
        resourceType: data.resource_type,
        uid,
        fact: {
          id: data.id,
          type: factType(type),
          publishedAt: utc(data.published_at),
          source: 'webhook',
          authenticated: true,
        },
      });
      const { fact } = notification;
      expect(lostFrom(data.body, fact)).toEqual([]);
      expect(lostFrom({ resource_metadata: data.resource_metadata }, fact)).toEqual([]);
      const { reason } = fact;
      expect([fact.causedBy, reason?.code, reason?.narrative]).toEqual([causedBy, code, narrative]);
      if (data.resource_type === 'payto_agreement') await expectInHistory(uid, data, fact);
    },
  );

  test('of an amendment contains its changes', async () => {
    const uid = await amendedAgreement(world, 'debtor_accept');
    const { sent, webhook } = await pushed('payto_agreement.amended', uid);
    expect(sent.data.body).toEqual({ caused_by: 'initiator', changes: NEW_TERMS });
    expect(notificationIn(webhook).fact.detail).toEqual({ changes: NEW_TERMS });
  });

  test.each([
    ['insufficient_funds', true],
    ['debtor_account_closed', false],
  ] as const)('of a payment failed by %s has retryable %s', async (simulate, retryable) => {
    const uid = await paymentAfter(world, simulate, await activeAgreement(world));
    const { fact } = notificationIn((await pushed('payto_payment.failed', uid)).webhook);
    expect(fact.detail).toMatchObject({ failure: { retryable } });
    const { failure } = await world.api.getPayment(uid, world.call);
    expect(failure).toEqual(fact.detail?.['failure']);
  });
});

describe('unmatched credit', () => {
  test.each([
    ['npp_bban', 'new_payments_platform', { payment_description: 'Rent, late', payment_reference: 'E2E-1' }],
    ['npp_bban', 'new_payments_platform', {}],
    ['de', 'direct_entry', { payment_reference: 'LODGED 9' }],
  ] as const)(
    'by %s is read completely with its own id and timestamp (case %#)',
    async (by, channel, texts) => {
      const arrived = world.receiver.next();
      await incomingCredit(world, by, { amount: 321, ...texts });
      const webhook = await arrived;
      const sent = unmatchedCredit.parse(webhook.json);
      const { payment_reference: reference, ...described } = { payment_reference: undefined, ...texts };
      const { payment_description: description } = { payment_description: undefined, ...described };
      expect(sent.data).toMatchObject({ channel, amount: 321 });
      if (reference !== undefined) expect(sent.data.debtor).toMatchObject({ reference });
      if (description !== undefined) expect(sent.data.debtor).toMatchObject({ description });
      const { fact, ...notification } = notificationIn(webhook);
      expect(notification).toEqual({ resource: 'other', resourceType: sent.data.type });
      expect(fact).toMatchObject({
        id: sent.data.id,
        type: UNMATCHED_CREDIT,
        publishedAt: utc(sent.event.at),
        source: 'webhook',
      });
      expect(lostFrom({ ...sent.data, event: sent.event }, fact)).toEqual([]);
      const entry = await world.api.getFloatAccountEntry(sent.data.creditor.id, sent.data.id, world.call);
      expect(entry).toMatchObject({ amount: 321 });
    },
  );
});
