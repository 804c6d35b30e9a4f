// A command on an agreement takes effect once per key.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { active } from '../../support/over-http.js';
import { openHttpStack, type Reply, type HttpStack } from '../../support/http-stack.js';
import { eventually, useTemporal } from '../../support/temporal.js';
import { failure } from '../../support/workflows/provider.js';
import type { Activities } from '../../../activities/index.js';
import type { Agreement } from '../../support/backend.js';

const temporal = useTemporal();
const WHY = { reason: 'initiating_party_requested', narrative: 'As agreed by phone' } as const;
const PAUSES = 5;

async function onARoad(
  over: (real: Activities) => Partial<Activities>,
  work: (road: HttpStack, uid: string) => Promise<void>,
): Promise<void> {
  const taskQueue = `road-${randomUUID()}`;
  const road = await openHttpStack(temporal, taskQueue);
  const goAlong = async () => {
    const connection = `con-${randomUUID()}`;
    await road.consent(connection);
    await work(road, await active(road, connection));
  };
  try {
    await temporal.run({ ...road.activities, ...over(road.activities) }, goAlong, taskQueue);
  } finally {
    await road.close();
  }
}

const COMMANDS = [
  ...Array.from({ length: PAUSES }, (_, turn) => [
    { key: `pause-${turn}`, what: 'suspension', body: { ...WHY, narrative: `Pause ${turn}` } },
    { key: `resume-${turn}`, what: 'reactivation', body: {} },
  ]).flat(),
  { key: 'end', what: 'cancellation', body: WHY },
];

const sent = (road: HttpStack, uid: string, { key, what, body }: (typeof COMMANDS)[number]): Promise<Reply> =>
  eventually(
    () => road.post(`/v1/agreements/${uid}/${what}?wait=20`, body, { 'idempotency-key': key }),
    ({ status }) => status !== 503,
  );

test('a repeated agreement command gets the same answer, and its key with another body conflicts', async () => {
  await onARoad(
    () => ({}),
    async (road, uid) => {
      for (const command of COMMANDS) expect((await sent(road, uid, command)).status).toBe(202);
      await temporal.client.workflow.getHandle(`agreement/${uid}`).result();
      const ended = await road.backend.untilAgreement(uid, ({ state }) => state === 'cancelled');
      for (const command of COMMANDS)
        expect(await sent(road, uid, command)).toMatchObject({ status: 202, body: ended });

      const conflict = { status: 422, body: { code: 'idempotency_conflict' } };
      const otherBody = { key: 'end', what: 'cancellation', body: { ...WHY, narrative: 'Else' } };
      expect(await sent(road, uid, otherBody)).toMatchObject(conflict);
      for (const key of ['fresh', 'pause-0'])
        expect(await sent(road, uid, { key, what: 'cancellation', body: WHY })).toMatchObject({
          status: 409,
          body: { code: 'agreement_final' },
        });
    },
  );
});

test('a flag is resolved once, and repeats get the same answer even after the end', async () => {
  let refusals = 1;
  const refusedOnce = ({ lookUpAgreement }: Activities): Partial<Activities> => ({
    lookUpAgreement: (requested) =>
      refusals-- > 0 ? Promise.reject(failure('rejected', ['X'])) : lookUpAgreement(requested),
  });
  await onARoad(refusedOnce, async (road, uid) => {
    const path = `/v1/agreements/${uid}`;
    const settle = (key: string, over: { reason?: string } = {}) =>
      road.post(
        `${path}/attention/conflict/resolution`,
        { reason: over.reason ?? 'mended there' },
        { 'idempotency-key': key },
      );
    const isFlagged = ({ attention }: Agreement) => attention.length > 0;
    await road.backend.lookUp(uid);
    await road.backend.untilAgreement(uid, isFlagged);
    expect((await settle('word-1')).status).toBe(200);
    const settled = await road.backend.untilAgreement(uid, (view) => !isFlagged(view));
    const conflict = { status: 422, body: { code: 'idempotency_conflict' } };
    const answers = async () => {
      expect(await settle('word-1')).toMatchObject({ status: 200, body: { attention: [] } });
      expect(await settle('word-1', { reason: 'something else' })).toMatchObject(conflict);
    };
    await answers();
    expect(await settle('word-2')).toMatchObject({ status: 409, body: { code: 'no_such_attention' } });
    expect(settled).toMatchObject({ state: 'active' });

    await road.backend.cancel(uid, WHY, { key: 'end' });
    await answers();
    expect(await settle('word-2')).toMatchObject({ status: 409, body: { code: 'agreement_final' } });
    const resolved = (await road.backend.wholeTimeline(uid)).filter(
      ({ type }) => type === 'attention_resolved',
    );
    expect(resolved).toHaveLength(1);
  });
});
