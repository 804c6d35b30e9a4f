import { Client, Connection } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { auditDeliveriesActivity } from '../../activities/audit-deliveries.js';
import { PaymentsApiError } from '../../payments-api/errors.js';
import { agreementWorkflowId } from '../../workflows/agreement/contract.js';
import { KEYRING } from '../support/temporal.js';
import { activeAgreement } from '../../tools/conform/resources.js';
import { NO_RECORDS, NO_WEBHOOKS } from '../support/no-records.js';
import { startWorld, type World } from '../support/payments-api/contract-world.js';
import { onSignal } from '../support/fake-temporal.js';
import type { Dependencies } from '../../activities/dependencies.js';
import type { AuditReport } from '../../domain/sweep/audit.js';
import type { Fact } from '../../domain/facts/fact.js';
import type { PaymentsApi } from '../../payments-api/client.js';

const SECRET = 'sandbox-webhook-secret';
let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  world.receiver.answerWith(200);
  await world.pass(8 * 24 * 3600);
});

async function missed(answer: number | 'silence'): Promise<string> {
  world.receiver.answerWith(answer);
  const uid = await activeAgreement(world);
  world.receiver.answerWith(200);
  return uid;
}

const now = () => Date.parse(world.control.state().now);

function anAudit(over: { payments?: Partial<PaymentsApi>; scopes?: string; webhookUrl?: string } = {}) {
  const delivered = new Map<string, Fact[]>();
  const sent: unknown[] = [];
  const temporal = new Client({ connection: Connection.lazy() });
  const opened: unknown[] = [];
  vi.spyOn(temporal.workflow, 'start').mockImplementation((_workflow, { workflowId, args }) => {
    opened.push(...((args ?? []) as unknown[]));
    return Promise.resolve(
      Object.assign(temporal.workflow.getHandle(workflowId), {
        firstExecutionRunId: 'a run',
        eagerlyStarted: false,
      }),
    );
  });
  onSignal(temporal, (workflowId, fact) => {
    delivered.set(workflowId, [...(delivered.get(workflowId) ?? []), fact as Fact]);
  });
  const withAccess: Dependencies['withAccess'] = async (_connection, work) =>
    work(
      over.scopes === undefined
        ? world.call
        : { accessToken: (await world.connect(over.scopes)).accessToken },
    );
  const activity = auditDeliveriesActivity({
    payments: { ...world.api, ...over.payments },
    oauth: world.oauth(),
    withAccess,
    readStop: () => Promise.resolve('free'),
    records: NO_RECORDS,
    temporal,
    taskQueue: 'payto',
    tokenKeys: KEYRING,
    sweep: { everyMs: 0, adopts: false, paceMs: 0, resumeMs: 0 },
    audit: { everyMs: 0, webhookUrl: over.webhookUrl },
    settlement: { everyMs: 0 },
    webhooks: NO_WEBHOOKS,
    credits: { caseAfterMs: 0, decideWithinMs: 3_600_000 },
    highRisk: { codes: [], primary: undefined },
    now,
  });
  const attempt = async (settledUntil?: string): Promise<AuditReport> => {
    const info = {
      ...{ taskQueue: 'payto-sweeps', heartbeatDetails: sent.at(-1) },
      scheduledTimestampMs: now(),
    };
    const environment = new MockActivityEnvironment(info, { logger: new DefaultLogger('ERROR') });
    environment.on('heartbeat', (details: unknown) => void sent.push(JSON.parse(JSON.stringify(details))));
    const report: AuditReport = await environment.run(activity, { connectionId: 'acme', settledUntil });
    sent.push(report);
    return report;
  };
  return { attempt, delivered, opened, sent };
}

describe('audit of deliveries', () => {
  test('delivers only refused or unanswered events, authenticated and with their ids from the history', async () => {
    await activeAgreement(world);
    const refused = await missed(503);
    const unanswered = await missed('silence');
    world.receiver.answerWith('silence');
    await world.pass(900);
    const { attempt, delivered, sent } = anAudit();
    const report = await attempt();
    expect(report).toMatchObject({
      webhooks: 1,
      missed: 2,
      handedIn: 2,
      named: { handedIn: [refused, unanswered] },
    });
    expect(report.stopped).toBeUndefined();
    const [entry] = await world.api.getAgreementHistory(refused, world.call);
    expect(delivered.get(agreementWorkflowId(refused))).toMatchObject([
      { id: entry?.id, type: 'activated', source: 'webhook', authenticated: true },
    ]);
    expect([...delivered.keys()]).toEqual([refused, unanswered].map(agreementWorkflowId));
    for (const secret of [SECRET, 'party_name', 'published_at', 'payload'])
      expect(JSON.stringify(sent)).not.toContain(secret);
    const listWebhookDeliveries = vi.fn(world.api.listWebhookDeliveries.bind(world.api));
    const next = anAudit({ payments: { listWebhookDeliveries } });
    expect(await next.attempt(report.settledUntil)).toMatchObject({ missed: 0 });
    const since = `${report.settledUntil?.slice(0, 19)}Z`;
    expect(listWebhookDeliveries.mock.calls).toMatchObject([
      [expect.anything(), { since }, expect.anything()],
    ]);
  });

  test("skips deliveries to others' webhook URLs", async () => {
    await missed('silence');
    expect(await anAudit({ webhookUrl: world.receiver.url }).attempt()).toMatchObject({
      ...{ webhooks: 1, elsewhere: 0, missed: 1 },
    });
    const elsewhere = await anAudit({ webhookUrl: 'https://ours.test/webhooks' }).attempt();
    expect(elsewhere).toMatchObject({ webhooks: 0, elsewhere: 1, missed: 0 });
  });

  test('resumes after the last delivered event when interrupted', async () => {
    const [first, second] = [await missed(500), await missed(500)];
    let asked = 0;
    const getWebhookDelivery: PaymentsApi['getWebhookDelivery'] = (id, call) => {
      asked += 1;
      if (asked === 2) throw new PaymentsApiError('unavailable', 'not given');
      return world.api.getWebhookDelivery(id, call);
    };
    const { attempt, delivered } = anAudit({ payments: { getWebhookDelivery } });
    await expect(attempt()).rejects.toMatchObject({ type: 'unavailable', nonRetryable: false });
    expect([...delivered.keys()]).toEqual([agreementWorkflowId(first)]);
    expect(await attempt()).toMatchObject({ missed: 2, handedIn: 2 });
    expect(asked).toBe(3);
    expect([...delivered.keys()]).toEqual([first, second].map(agreementWorkflowId));
  });

  test('counts unreadable and missing deliveries, leaves the former to an operator, and continues', async () => {
    const uids = [await missed(500), await missed(500), await missed(500)];
    const answers = [
      () => ({ payload: { event: 1 } }),
      () => {
        throw new PaymentsApiError('not_found', 'gone');
      },
    ];
    const getWebhookDelivery: PaymentsApi['getWebhookDelivery'] = async (id, call) =>
      answers.shift()?.() ?? world.api.getWebhookDelivery(id, call);
    const { attempt, opened } = anAudit({ payments: { getWebhookDelivery } });
    const report = await attempt();
    const fact = { type: 'webhook_delivery.unreadable', detail: { payload: { event: 1 } } };
    expect(opened).toMatchObject([
      { fact: { ...fact, id: report.named.unreadable[0], authenticated: true } },
    ]);
    expect(report).toMatchObject({
      missed: 3,
      unreadable: 1,
      gone: 1,
      handedIn: 1,
      named: { handedIn: [uids[2]] },
    });
  });
});
