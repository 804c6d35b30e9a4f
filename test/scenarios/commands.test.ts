import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { useTemporal } from '../support/temporal.js';
import { anAgreement } from '../support/road.js';
import { active, callsOf, onTheRoad } from './along.js';
import type { Road } from '../support/road.js';

const temporal = useTemporal();
const WHY = { reason: 'initiating_party_requested', narrative: 'As agreed by phone' };
const keyed = (key: string = randomUUID()) => ({ 'idempotency-key': key });

/** Asks for something and waits until it has come to something. */
const commanded = (road: Road, uid: string, what: string, body: object, key?: string) =>
  road.post(`/v1/agreements/${uid}/${what}?wait=20`, body, keyed(key));

describe('commands on the road', () => {
  test('pause, resume and end an agreement at the provider', async () => {
    await onTheRoad(temporal, async (road, connection) => {
      const uid = await active(road, connection);
      expect(await commanded(road, uid, 'suspension', WHY)).toMatchObject({
        status: 202,
        body: { state: 'suspended', state_caused_by: 'initiator', pending_action: null },
      });
      expect(await commanded(road, uid, 'reactivation', {})).toMatchObject({
        status: 202,
        body: { state: 'active' },
      });
      const ended = await commanded(road, uid, 'cancellation', WHY);
      expect(ended).toMatchObject({
        status: 202,
        body: {
          state: 'cancelled',
          actions: [
            { kind: 'suspension', stage: 'done' },
            { kind: 'reactivation', stage: 'done' },
            { kind: 'cancellation', stage: 'done' },
          ],
        },
      });
      expect(await commanded(road, uid, 'suspension', WHY)).toMatchObject({
        status: 409,
        body: { code: 'agreement_final' },
      });
    });
  });

  test('are done once, however often one is sent with its key', async () => {
    await onTheRoad(temporal, async (road, connection) => {
      const uid = await active(road, connection);
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => commanded(road, uid, 'suspension', WHY, 'pause-1')),
      );
      expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202]);
      expect(callsOf(road, 'suspend_agreement', uid)).toHaveLength(1);
      const other = await commanded(road, uid, 'suspension', { ...WHY, narrative: 'Else' }, 'pause-1');
      expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_conflict' } });
    });
  });

  test('to resume what the payer paused are refused', async () => {
    await onTheRoad(temporal, async (road, connection) => {
      const uid = await active(road, connection);
      road.sandbox.control.actAsPayer(uid, 'suspend');
      await road.until(`/v1/agreements/${uid}`, ({ state }) => state === 'suspended');
      expect(await commanded(road, uid, 'reactivation', {})).toMatchObject({
        status: 409,
        body: { code: 'suspended_by_payer' },
      });
    });
  });

  test('whose answer is lost are found to have been done', async () => {
    await onTheRoad(temporal, async (road, connection) => {
      const uid = await active(road, connection);
      road.sandbox.control.addFault({ on: 'suspend_agreement', do: 'cut_after_commit', times: 1 });
      const paused = await commanded(road, uid, 'suspension', WHY);
      expect(paused).toMatchObject({ body: { state: 'suspended', actions: [{ stage: 'done' }] } });
    });
  });

  test('whose outcome no webhook tells are found by asking', async () => {
    await onTheRoad(temporal, async (road, connection) => {
      const uid = await active(road, connection);
      road.sandbox.control.addFault({ on: 'webhook', do: 'lose' });
      const paused = await commanded(road, uid, 'suspension', WHY);
      expect(paused).toMatchObject({ body: { state: 'suspended', actions: [{ stage: 'done' }] } });
      const { body } = await road.get(`/v1/agreements/${uid}/timeline`);
      expect(JSON.stringify(body)).toMatch(/"type":"suspended".*"source":"history"/);
    });
  });

  test('propose other terms, which hold once the payer has accepted them', async () => {
    await onTheRoad(temporal, async (road, connection) => {
      const uid = await active(road, connection);
      const path = `/v1/agreements/${uid}`;
      const changes = { payment_terms: { max_amount: 40_000 } };
      const key = randomUUID();
      road.sandbox.control.scriptAction(uid, { action: 'amendment', simulate: 'ignore' });
      expect((await road.post(`${path}/amendment`, { changes }, keyed(key))).status).toBe(202);
      const waiting = await road.until(path, (body) => JSON.stringify(body).includes('amendment-decision'));
      expect(waiting).toMatchObject({
        pending_action: { kind: 'amendment', key, accepted: true },
        payment_terms: { max_amount: 25_000 },
      });
      const second = await road.post(`${path}/amendment`, { changes }, keyed());
      expect(second).toMatchObject({ status: 409, body: { code: 'action_pending' } });
      road.sandbox.control.actAsPayer(uid, 'accept_amendment');
      const amended = await road.until(path, ({ pending_action: pending }) => pending === null);
      expect(amended).toMatchObject({ actions: [{ kind: 'amendment', stage: 'done' }] });
      await road.until(path, (body) => JSON.stringify(body).includes('"max_amount":40000'));
    });
  });

  test('take away the end of validity, where the payer accepts that', async () => {
    await onTheRoad(temporal, async (road, connection) => {
      const end = { validity_end_date: new Date(Date.now() + 400 * 86_400_000).toISOString().slice(0, 10) };
      const agreement = anAgreement(undefined, { connection, ...end });
      await road.post('/v1/agreements?wait=20', agreement);
      const { uid } = agreement;
      const path = `/v1/agreements/${uid}`;
      await road.until(
        path,
        ({ state, validity_end_date: until }) => state === 'active' && until === end.validity_end_date,
      );
      road.sandbox.control.scriptAction(uid, { action: 'amendment', simulate: 'ignore' });
      await road.post(`${path}/amendment`, { changes: { validity_end_date: null } }, keyed());
      await road.until(path, (body) => JSON.stringify(body).includes('amendment-decision'));
      road.sandbox.control.actAsPayer(uid, 'accept_amendment');
      await road.until(
        path,
        ({ pending_action: pending, validity_end_date: until }) => pending === null && until === null,
      );
    });
  });

  test('take back an amendment that the payer has not decided on', async () => {
    await onTheRoad(temporal, async (road, connection) => {
      const uid = await active(road, connection);
      const path = `/v1/agreements/${uid}`;
      road.sandbox.control.scriptAction(uid, { action: 'amendment', simulate: 'ignore' });
      const changes = { payment_terms: { max_amount: 40_000 } };
      await road.post(`${path}/amendment`, { changes }, keyed());
      await road.until(path, (body) => JSON.stringify(body).includes('amendment-decision'));
      expect(await commanded(road, uid, 'amendment/recall', {})).toMatchObject({
        status: 202,
        body: {
          actions: [
            { kind: 'amendment', stage: 'failed', failure: { code: 'amendment_recalled' } },
            { kind: 'amendment_recall', stage: 'done' },
          ],
        },
      });
    });
  });

  test('have the provider looked at, and settle a flag', async () => {
    await onTheRoad(temporal, async (road, connection) => {
      const uid = await active(road, connection);
      road.sandbox.control.addFault({ on: 'webhook', do: 'lose' });
      road.sandbox.control.actAsPayer(uid, 'suspend');
      expect((await road.post(`/v1/agreements/${uid}/look-up`, {})).status).toBe(202);
      await road.until(`/v1/agreements/${uid}`, ({ state }) => state === 'suspended');
      const flag = `/v1/agreements/${uid}/attention/conflict/resolution`;
      const none = await road.post(flag, { reason: 'seen' }, keyed());
      expect(none).toMatchObject({ status: 409, body: { code: 'no_such_attention' } });
    });
  });
});
