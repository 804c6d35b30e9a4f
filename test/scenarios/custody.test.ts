import { describe, expect, test } from 'vitest';
import { agreementWorkflowId } from '../../workflows/agreement/contract.js';
import { connectionWorkflowId } from '../../workflows/connection/contract.js';
import { paymentWorkflowId } from '../../workflows/payment/contract.js';
import { CLIENT_SECRET, aPayment, anAgreement } from '../support/road.js';
import { lettersOf, openedLettersOf } from '../sealing/raw.js';
import { CODEC, eventually, skipTime, useTemporal } from '../support/temporal.js';
import { active, onTheRoad } from './along.js';
import type { Road } from '../support/road.js';

const temporal = useTemporal();

const refreshes = ({ sandbox }: Road) =>
  sandbox.control.ledger().filter((entry) => entry.kind === 'token' && entry.grant_type === 'refresh_token');

/** The history of a run as text, with what is in its payloads for whoever has the key. */
async function historyText(workflowId: string): Promise<string> {
  const { events } = await temporal.client.workflow.getHandle(workflowId).fetchHistory();
  return `${lettersOf(events)}\n${await openedLettersOf(events, CODEC)}`;
}

describe('tokens', () => {
  test('a token of two hours is renewed once, however many ask at one instant', async () => {
    await onTheRoad(temporal, async (road, connection) => {
      await active(road, connection);
      await road.sandbox.control.advance(2 * 3600 + 1);
      const many = Array.from({ length: 6 }, () => anAgreement(undefined, { connection }));
      const answers = await Promise.all(
        many.map((agreement) => road.post('/v1/agreements?wait=20', agreement)),
      );
      expect(answers.map(({ body }) => body['state'])).toEqual(many.map(() => 'active'));
      expect(refreshes(road)).toMatchObject([{ status: 200 }]);
      expect((await road.get(`/v1/connections/${connection}`)).body).toMatchObject({
        generation: 2,
        status: 'healthy',
      });
    });
  });

  test('an agreement waits while consent is missing, and goes on by itself once it is there', async () => {
    await onTheRoad(temporal, async (road, connection) => {
      await active(road, connection);
      road.sandbox.control.revokeGrants();
      const agreement = anAgreement(undefined, { connection });
      await road.post('/v1/agreements', agreement);
      const handle = temporal.client.workflow.getHandle(connectionWorkflowId(connection));
      const lastFailure = async () =>
        (await road.get(`/v1/connections/${connection}`)).body['last_failure'] ?? null;
      await eventually(
        async () => (await handle.describe()).raw.pendingActivities?.length ?? 0,
        (count) => count === 0,
      );
      await skipTime(temporal.client, handle.workflowId);
      await road.until(`/v1/connections/${connection}`, ({ status }) => status === 'needs_reauthorisation');
      expect(JSON.stringify(await lastFailure())).toContain('grant_refused');
      await skipTime(temporal.client, handle.workflowId, false);
      const path = `/v1/agreements/${agreement.uid}`;
      await road.until(path, ({ awaiting }) => JSON.stringify(awaiting).includes('reauthorisation'));
      await road.consent(connection);
      await road.until(path, ({ state }) => state === 'active');
    });
  });

  test('no history holds a token, a code or the client’s secret', async () => {
    const secrets = new Set<string>([CLIENT_SECRET]);
    const { fetch: original } = globalThis;
    globalThis.fetch = async (input, init) => {
      const answer = await original(input, init);
      const [, code] = /[?&]code=([^&]+)/.exec(answer.url) ?? [];
      if (code !== undefined) secrets.add(code);
      return answer;
    };
    try {
      await onTheRoad(temporal, async (road, connection) => {
        const uid = await active(road, connection);
        const payment = aPayment();
        await road.sandbox.control.advance(2 * 3600 + 1);
        await road.post(`/v1/agreements/${uid}/payments?wait=20`, payment);
        for (const token of road.issued) secrets.add(token);
        expect(secrets.size).toBe(6);
        for (const id of [
          connectionWorkflowId(connection),
          agreementWorkflowId(uid),
          paymentWorkflowId(payment.uid),
        ]) {
          const text = await historyText(id);
          for (const secret of secrets) expect(text).not.toContain(secret);
        }
        expect(await historyText(connectionWorkflowId(connection))).toContain('sealedRefresh');
      });
    } finally {
      globalThis.fetch = original;
    }
  });
});
