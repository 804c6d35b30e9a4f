import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ON_WEBHOOK, type FaultParameters, type WebhookAction } from '../../sandbox/faults/actions.schema.js';
import { activeAgreement, agreementAfter } from '../../tools/conform/resources.js';
import { startWorld, type World } from '../support/payments-api/contract-world.js';
import { hmacVerifier, type Verdict } from '../../payments-api/signature.js';
import { inOrder, type Fact } from '../../domain/facts/fact.js';
import { readNotifications } from '../../payments-api/webhook.js';
import type { Received } from '../support/sandbox/receiver.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());
beforeEach(() => {
  world.control.clearFaults();
  world.receiver.received.length = 0;
});

const TOLERANCE_SECONDS = 300;
const scheme = {
  secrets: ['sandbox-webhook-secret'],
  signatureHeader: 'Service-Signature',
  toleranceSeconds: TOLERANCE_SECONDS,
};
const verify = hmacVerifier(scheme);

function verdictOf({ headers, raw }: Received, check = verify): Verdict {
  return check(Buffer.from(raw), (name) => String(headers[name.toLowerCase()] ?? ''), Date.now());
}

function factsIn(webhook: Received): Fact[] {
  const verdict = verdictOf(webhook);
  if (!verdict.ok) return [];
  const receipt = { receivedAt: new Date().toISOString(), authenticated: verdict.authenticatesBody };
  return readNotifications(Buffer.from(webhook.raw), receipt).map(({ fact }) => fact);
}

const arrived = (): unknown[] =>
  world.receiver.received.map((webhook) => {
    const verdict = verdictOf(webhook);
    return verdict.ok ? factsIn(webhook).map(({ type }) => type) : verdict.why;
  });

interface Row {
  parameters?: FaultParameters;
  atOnce: unknown[];
  inTheEnd?: unknown[];
}

const ROWS: Record<WebhookAction, Row> = {
  lose: { atOnce: [['suspended']] },
  delay: { atOnce: [['suspended']], inTheEnd: [['suspended'], ['activated']] },
  repeat: { parameters: { copies: 2 }, atOnce: [['activated'], ['activated'], ['activated'], ['suspended']] },
  reorder: { atOnce: [['suspended'], ['activated']] },
  forge: { atOnce: [['activated'], 'mismatch', ['suspended']] },
  unknown_type: { atOnce: [['activated'], ['levitated'], ['suspended']] },
  batch: { parameters: { size: 2 }, atOnce: [['activated', 'suspended']] },
  bad_signature: { atOnce: ['mismatch', ['suspended']] },
  stale_timestamp: {
    parameters: { age_seconds: TOLERANCE_SECONDS + 60 },
    atOnce: [['activated'], ['suspended']],
  },
};

const awaiting = (): Promise<string> => agreementAfter(world, 'ignore');

async function activatedThenSuspended(uid: string): Promise<void> {
  world.control.actAsPayer(uid, 'accept');
  await world.control.advance(1);
  world.control.actAsPayer(uid, 'suspend');
  await world.control.advance(1);
}

test('the table covers every webhook fault', () => {
  expect(Object.keys(ROWS).sort()).toEqual([...ON_WEBHOOK].sort());
});

describe('facts of two events', () => {
  test.each(ON_WEBHOOK.map((action) => ({ action, ...ROWS[action] })))(
    'equal the history although $action affects the first webhook',
    async ({ action, parameters, atOnce, inTheEnd }) => {
      const uid = await awaiting();
      world.control.addFault({ on: 'webhook', do: action, times: 1, resource_uid: uid, ...parameters });
      await activatedThenSuspended(uid);
      expect(arrived()).toEqual(atOnce);
      await world.control.flushWebhooks();
      expect(arrived()).toEqual(inTheEnd ?? atOnce);
      const history = inOrder(await world.api.getAgreementHistory(uid, world.call));
      expect(history.map(({ type }) => type)).toEqual(['activated', 'suspended']);
      const read = new Map(world.receiver.received.flatMap(factsIn).map((fact) => [fact.id, fact]));
      const documented = inOrder([...read.values()].filter(({ type }) => type !== 'levitated'));
      const inHistory = history.filter(({ id }) => read.has(id));
      expect(documented.map(({ id, publishedAt }) => [id, publishedAt])).toEqual(
        inHistory.map(({ id, publishedAt }) => [id, publishedAt]),
      );
    },
  );
});

test('a repeated webhook has the same event id and request id', async () => {
  world.control.addFault({ on: 'webhook', do: 'repeat', times: 1, copies: 2 });
  await activeAgreement(world);
  const { received } = world.receiver;
  expect(received).toHaveLength(3);
  expect(new Set(received.flatMap(factsIn).map(({ id }) => id)).size).toBe(1);
  expect(new Set(received.map(({ headers }) => headers['service-request-id'])).size).toBe(1);
});

test('an event of an unknown type belongs to its agreement', async () => {
  world.control.addFault({ on: 'webhook', do: 'unknown_type', times: 1 });
  const uid = await activeAgreement(world);
  const [, unknown] = world.receiver.received;
  const receipt = { receivedAt: new Date().toISOString(), authenticated: true };
  expect(readNotifications(Buffer.from(unknown?.raw ?? ''), receipt)).toMatchObject([
    { resource: 'agreement', uid, fact: { type: 'levitated' } },
  ]);
});

test('both secrets verify during a rotation, and then only the new one', async () => {
  const both = hmacVerifier({ ...scheme, secrets: ['new-secret', ...scheme.secrets] });
  const onlyNew = hmacVerifier({ ...scheme, secrets: ['new-secret'] });
  await activeAgreement(world);
  world.control.setWebhookSecret('new-secret');
  await activeAgreement(world);
  world.control.setWebhookSecret('sandbox-webhook-secret');
  const { received } = world.receiver;
  expect(received.map((webhook) => verdictOf(webhook, both).ok)).toEqual([true, true]);
  expect(received.map((webhook) => verdictOf(webhook, onlyNew).ok)).toEqual([false, true]);
});
