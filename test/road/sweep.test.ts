// A sweep finds whatever no webhook told of, and costs nothing where nothing has happened.
import { describe, expect, test } from 'vitest';
import { agreementWorkflowId } from '../../workflows/agreement/contract.js';
import { withPayment } from '../../workflows/agreement/ledger.js';
import { withRefusal } from '../../workflows/agreement/state.js';
import { anAgreement } from '../support/road.js';
import { eventually, eventsOf, useTemporal } from '../support/temporal.js';
import { anOrder } from '../support/workflows/provider.js';
import { active } from '../support/on-the-road.js';
import {
  asked,
  atTheProvider,
  here,
  listed,
  onASweptRoad,
  stateShowing,
  stateOf,
  sweepOnce,
} from '../support/sweeping.js';
import type { SweptRoad } from '../support/sweeping.js';

const temporal = useTemporal();

const runOf = (uid: string) => temporal.client.workflow.getHandle(agreementWorkflowId(uid));
const reaches = (swept: SweptRoad, uid: string, state: string) =>
  eventually(
    () => stateOf(swept, uid),
    (seen) => seen === state,
  );
/** Until lists show it so: a sweep believes them. */
const isListed = (swept: SweptRoad, count: number) =>
  eventually(
    () => listed(swept),
    (seen) => seen === count,
  );

describe('a sweep', () => {
  test('over 250 unchanged agreements asks three times, and writes no event to any of them', async () => {
    await onASweptRoad(temporal, async (swept) => {
      const uids = await atTheProvider(swept, 250);
      await here(
        swept,
        uids.map((uid) => stateShowing(swept.connection, uid, 'active')),
      );
      const events = () => Promise.all(uids.map((uid) => eventsOf(runOf(uid))));
      const before = await events();
      const calls = swept.road.sandbox.control.ledger(0, { kind: 'call' }).length;
      const report = await sweepOnce(swept);
      expect(report).toMatchObject({
        seen: 250,
        equal: 250,
        pages: 3,
        missingThere: 0,
        named: { missingThere: [] },
        differences: [],
      });
      expect(report.stopped).toBeUndefined();
      expect(swept.road.sandbox.control.ledger(0, { kind: 'call' }).length - calls).toBe(3);
      expect(await events()).toEqual(before);
    });
  });

  test('finds what a lost webhook would have told, and the agreement follows', async () => {
    await onASweptRoad(temporal, async (swept) => {
      const uid = await active(swept.road, swept.connection);
      const other = await active(swept.road, swept.connection);
      await isListed(swept, 2);
      const eventsBefore = await eventsOf(runOf(other));
      swept.road.sandbox.control.actAsPayer(uid, 'suspend');
      expect(await sweepOnce(swept)).toMatchObject({
        seen: 2,
        equal: 1,
        differing: 1,
        named: { differing: [uid] },
        differences: [{ uid, here: 'active', there: 'suspended', times: 1 }],
      });
      await reaches(swept, uid, 'suspended');
      expect(await eventsOf(runOf(other))).toBe(eventsBefore);
      await eventually(
        () => sweepOnce(swept),
        ({ equal, differing }) => equal === 2 && differing === 0,
      );
    });
  });

  test('ends an agreement that was cancelled unheard, and leaves it alone from then on', async () => {
    await onASweptRoad(temporal, async (swept) => {
      const uid = await active(swept.road, swept.connection);
      await isListed(swept, 1);
      swept.road.sandbox.control.actAsPayer(uid, 'cancel');
      expect(await sweepOnce(swept)).toMatchObject({ differing: 1 });
      await runOf(uid).result();
      await reaches(swept, uid, 'cancelled');
      const { runId } = await runOf(uid).describe();
      await eventually(
        () => sweepOnce(swept),
        ({ equal }) => equal === 1,
      );
      expect((await runOf(uid).describe()).runId).toBe(runId);
    });
  });

  test('counts what nobody here has heard of, and starts nothing for it', async () => {
    await onASweptRoad(temporal, async (swept) => {
      const [live = '', gone = ''] = await atTheProvider(swept, 2);
      swept.road.sandbox.control.actAsPayer(gone, 'cancel');
      expect(await sweepOnce(swept)).toMatchObject({
        seen: 2,
        unknownHere: 1,
        over: 1,
        adopted: 0,
        named: { unknownHere: [live] },
      });
      expect((await swept.road.get(`/v1/agreements/${live}`)).status).toBe(404);
      expect(await listed(swept)).toBe(0);
    });
  });

  test('adopts it where that is configured, but for what is over', async () => {
    await onASweptRoad(
      temporal,
      async (swept) => {
        const [live = '', gone = ''] = await atTheProvider(swept, 2);
        swept.road.sandbox.control.actAsPayer(gone, 'cancel');
        expect(await sweepOnce(swept)).toMatchObject({
          adopted: 1,
          over: 1,
          unknownHere: 0,
          named: { adopted: [live] },
        });
        await swept.road.until(
          `/v1/agreements/${live}`,
          ({ adopted, state }) => adopted === true && state === 'active',
        );
        await isListed(swept, 1);
        expect(await sweepOnce(swept)).toMatchObject({ adopted: 0, equal: 1, over: 1 });
        expect((await swept.road.get(`/v1/agreements/${gone}`)).status).toBe(404);
      },
      { sweep: { adopts: true } },
    );
  });

  test('takes up again, with its payments, what is over here and lives at the provider', async () => {
    await onASweptRoad(temporal, async (swept) => {
      const [uid = ''] = await atTheProvider(swept, 1);
      const order = anOrder(uid);
      const paid = { uid: 'p-1', amount: 4200, order, requestedAt: '2026-01-01T00:00:00.000Z' };
      // We took it for refused; the provider has it all the same.
      const blank = { ...stateShowing(swept.connection, uid, 'pending'), facts: [] };
      const refused = withRefusal(withPayment(blank, paid), new Date().toISOString(), { code: 'ZPUNP00' });
      await here(swept, [refused]);
      await runOf(uid).result();
      await eventually(
        () => sweepOnce(swept),
        ({ differing }) => differing === 1,
      );
      await swept.road.until(`/v1/agreements/${uid}`, ({ state }) => state === 'active');
      expect((await swept.road.get(`/v1/agreements/${uid}`)).body).toMatchObject({
        adopted: false,
        payments: { count: 1, last_requested_at: paid.requestedAt },
      });
      expect((await runOf(uid).describe()).status.name).toBe('RUNNING');
    });
  });

  test('names what is open here and not at the provider, and does not tell it', async () => {
    await onASweptRoad(temporal, async (swept) => {
      const uid = `agr-lost-${swept.connection}`;
      await here(swept, [stateShowing(swept.connection, uid, 'active')]);
      const before = await eventsOf(runOf(uid));
      expect(await sweepOnce(swept)).toMatchObject({
        seen: 0,
        missingThere: 1,
        named: { missingThere: [uid] },
      });
      expect(await eventsOf(runOf(uid))).toBe(before);
    });
  });

  test('tells nobody of an agreement whose uid is another connection’s here', async () => {
    await onASweptRoad(temporal, async (swept) => {
      const [uid = ''] = await atTheProvider(swept, 1);
      const other = { ...swept, connection: `${swept.connection}-other` };
      await here(other, [stateShowing(other.connection, uid, 'suspended')]);
      const before = await eventsOf(runOf(uid));
      expect(await sweepOnce(swept)).toMatchObject({ seen: 1, elsewhere: 1, named: { elsewhere: [uid] } });
      expect(await eventsOf(runOf(uid))).toBe(before);
    });
  });

  test('does not take an agreement that waits for its payer for a stranger', async () => {
    await onASweptRoad(temporal, async (swept) => {
      const agreement = anAgreement(undefined, { connection: swept.connection });
      swept.road.sandbox.control.scriptPayer(agreement.uid, { simulate: 'debtor_accept', delay: 3600 });
      await swept.road.post('/v1/agreements', agreement);
      await reaches(swept, agreement.uid, 'created');
      await isListed(swept, 1);
      await eventually(
        () => sweepOnce(swept),
        ({ equal }) => equal === 1,
      );
      expect(asked(swept, 'create_agreement')).toBe(1);
    });
  });
});
