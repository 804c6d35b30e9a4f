// A long life on the whole road: what an agreement no longer keeps is found again in the provider's history.
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { inOrder } from '../../domain/fact.js';
import { createPaymentsApi } from '../../payments-api/client.js';
import { AGREEMENT_WORKFLOW, agreementWorkflowId, getTimeline } from '../../workflows/agreement/contract.js';
import { carry } from '../../workflows/entity/upgrade.js';
import { newAgreement } from '../../workflows/agreement/state.js';
import { eventsOf, eventually, fastForward, useTemporal } from '../support/temporal.js';
import { connectionWorkflowId } from '../../workflows/connection/contract.js';
import { active, callsOf, onTheRoad } from '../support/on-the-road.js';
import type { Road } from '../support/road.js';

const temporal = useTemporal();

const Fact = z.object({
  id: z.string(),
  type: z.string(),
  source: z.string(),
  published_at: z.string(),
  received_at: z.string().nullable(),
});
const Page = z.object({
  data: z.array(Fact),
  older_count: z.number(),
  links: z.object({ next: z.string().optional(), older: z.string().optional() }),
});
type Page = z.output<typeof Page>;

const timeline = (uid: string): string => `/v1/agreements/${uid}/timeline`;

/** The whole answer: `road.get` would bring the list alone. */
async function pageAt({ url }: Road, path: string): Promise<Page> {
  const response = await fetch(`${url}${path}`, { headers: { authorization: 'Bearer test-key' } });
  expect(response.status).toBe(200);
  return Page.parse(await response.json());
}

async function walk(road: Road, first: string): Promise<z.output<typeof Fact>[]> {
  const met: z.output<typeof Fact>[] = [];
  for (let path: string | undefined = first; path !== undefined;) {
    const page: Page = await pageAt(road, path);
    met.push(...page.data);
    path = page.links.next;
  }
  return met;
}

/** What the provider itself tells, by the token that the connection was given. */
async function historyAt(road: Road, uid: string): Promise<string[]> {
  const payments = createPaymentsApi({
    baseUrl: road.sandbox.url,
    version: '20260901',
    versionHeader: 'Service-API-Version',
  });
  const [accessToken = ''] = road.issued;
  return inOrder(await payments.getAgreementHistory(uid, { accessToken })).map(({ id }) => id);
}

/** An agreement that its payer pauses and resumes until the workflow no longer keeps all of it. */
async function longLived(road: Road, connection: string): Promise<string> {
  const uid = await active(road, connection);
  for (let older = 0; older === 0; older = (await pageAt(road, timeline(uid))).older_count) {
    for (let turn = 0; turn < 40; turn += 1)
      road.sandbox.control.actAsPayer(uid, turn % 2 === 0 ? 'suspend' : 'reactivate');
    await road.sandbox.control.flushWebhooks();
  }
  await road.until(`/v1/agreements/${uid}`, (body) => JSON.stringify(body['awaiting']).includes('"nothing"'));
  return uid;
}

/** The same in little: of an agreement's three facts, a run that was handed over keeps the last. */
async function shortened(road: Road, connection: string): Promise<string> {
  const uid = await active(road, connection);
  for (const turn of ['suspend', 'reactivate'] as const) road.sandbox.control.actAsPayer(uid, turn);
  await road.until(timeline(uid), (body) => JSON.stringify(body).includes('"reactivated"'));
  const { client, taskQueue } = temporal;
  const workflowId = agreementWorkflowId(uid);
  const { facts } = await client.workflow.getHandle(workflowId).query(getTimeline);
  await client.workflow.getHandle(workflowId).terminate();
  const known = newAgreement({ uid, connectionId: connection }, new Date().toISOString());
  const submission = { ...known.submission, stage: 'open' as const };
  const carried = carry({ ...known, submission, start: 'suspended', facts: facts.slice(-1), olderCount: 2 });
  await client.workflow.start(AGREEMENT_WORKFLOW, { workflowId, taskQueue, args: [{ uid, carried }] });
  return uid;
}

describe('a timeline that is no longer kept whole', () => {
  test('is told whole: every event of the provider, once, in order, over into what is kept', async () => {
    await onTheRoad(temporal, async (road, connection) => {
      const uid = await longLived(road, connection);
      const agreement = temporal.client.workflow.getHandle(agreementWorkflowId(uid));
      const eventsBefore = await eventsOf(agreement);
      const kept = await pageAt(road, `${timeline(uid)}?per_page=100`);
      const readsBefore = callsOf(road, 'agreement_history', uid).length;

      const whole = await walk(road, kept.links.older ?? '');
      expect(
        whole.filter(({ source }) => !['lookup', 'command'].includes(source)).map(({ id }) => id),
      ).toEqual(await historyAt(road, uid));
      expect(whole.map(({ published_at: at, id }) => [at, id])).toEqual(inOrderOf(whole));
      // What was read again comes first; of the older ones the provider does not know what we found by look-ups.
      const known = new Set((await agreement.query(getTimeline)).facts.map(({ id }) => id));
      const readAgain = whole.findIndex(({ id }) => known.has(id));
      expect(whole.slice(readAgain).filter(({ id }) => !known.has(id))).toEqual([]);
      expect(whole.slice(0, readAgain).filter(({ received_at: at }) => at !== null)).toEqual([]);
      expect(readAgain).toBeGreaterThan(0);
      expect(readAgain).toBeLessThanOrEqual(kept.older_count);

      const again = await Promise.all(
        [1, 2].map(() => walk(road, `${timeline(uid)}?from=beginning&per_page=13`)),
      );
      for (const facts of again) expect(facts).toEqual(whole);
      // However many pages were asked for, it was read once, and by historyAt once.
      const pages = Math.ceil((await historyAt(road, uid)).length / 100);
      expect(callsOf(road, 'agreement_history', uid).length - readsBefore).toBe(3 * pages);
      expect(await eventsOf(agreement)).toBe(eventsBefore);

      road.sandbox.control.actAsPayer(uid, 'cancel');
      await eventually(
        () => agreement.describe(),
        ({ status }) => status.name === 'COMPLETED',
      );
      const afterTheEnd = await walk(road, `${timeline(uid)}?from=beginning&per_page=100`);
      expect(afterTheEnd.filter(({ source }) => source !== 'lookup')).toHaveLength(
        (await historyAt(road, uid)).length,
      );
      expect(afterTheEnd.slice(0, whole.length).map(({ id }) => id)).toEqual(whole.map(({ id }) => id));
    });
  });

  test('says why where it cannot be: no consent, a provider that is down; and goes on once it can', async () => {
    await onTheRoad(temporal, async (road, connection) => {
      const uid = await shortened(road, connection);
      const { control } = road.sandbox;
      const older = `${timeline(uid)}?from=beginning`;
      const before = callsOf(road, 'agreement_history', uid).length;
      const { id } = control.addFault({ on: 'agreement_history', do: 'error_503' });
      expect(await road.get(older)).toMatchObject({
        status: 502,
        body: { code: 'provider_unavailable', upstream: { status: 503, retryable: true } },
      });
      // No fifth attempt: a caller waits for this.
      expect(callsOf(road, 'agreement_history', uid).length - before).toBeLessThanOrEqual(4);
      control.removeFault(id);

      control.revokeGrants();
      expect((await road.get(older)).status).toBe(502);
      await fastForward(temporal.client, connectionWorkflowId(connection), 120);
      await road.until(`/v1/connections/${connection}`, ({ status }) => status === 'needs_reauthorisation');
      const refused = await road.get(older);
      expect(refused).toMatchObject({ status: 409, body: { code: 'needs_reauthorisation' } });
      expect(String(refused.body['detail'])).toContain(`/v1/connections/${connection}/reauthorisation`);
      expect((await pageAt(road, timeline(uid))).older_count).toBeGreaterThan(0);

      await road.consent(connection);
      expect((await pageAt(road, older)).data.map(({ type }) => type)).toEqual([
        'activated',
        'suspended',
        'reactivated',
      ]);
    });
  });
});

const inOrderOf = (facts: z.output<typeof Fact>[]): [string, string][] =>
  facts
    .map(({ published_at: at, id }): [string, string] => [at, id])
    .sort(([a, x], [b, y]) => (a === b ? Number(x > y) - Number(x < y) : Number(a > b) - Number(a < b)));
