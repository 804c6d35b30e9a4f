import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { resumeBlockedActivity } from '../../activities/resume-blocked.js';
import { AGREEMENT_WORKFLOW, agreementWorkflowId } from '../../workflows/agreement/contract.js';
import { CONNECTION_WORKFLOW, connectionWorkflowId } from '../../workflows/connection/contract.js';
import { eventually, useTemporal } from '../support/temporal.js';
import { consentTo, exchangeCode } from '../support/workflows/connections.js';
import { A_MANDATE, fetchedAgreement, failure, only } from '../support/workflows/provider.js';
import type { Activities } from '../../activities/index.js';

const temporal = useTemporal();
const MANY = 10_000;
const AT_ONCE = 25;
const ALL_MS = 60 * 60_000;

const SWEEP = { everyMs: 0, adopts: false, paceMs: 0, resumeMs: 0 };

function aProvider() {
  const door = { isOpen: false, asked: 0 };
  const createAgreement: Activities['createAgreement'] = ({ uid }) => {
    door.asked += 1;
    if (!door.isOpen) return Promise.reject(failure('needs_reauthorisation'));
    return Promise.resolve(fetchedAgreement(uid, 'active'));
  };
  const resumeBlocked: Activities['resumeBlocked'] = (of) =>
    resumeBlockedActivity({ temporal: temporal.client, sweep: SWEEP })(of);
  return { door, activities: only({ createAgreement, exchangeCode, resumeBlocked }) };
}

async function forEach<T>(
  what: string,
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const left = items.values();
  const fromMs = performance.now();
  let done = 0;
  const oneAfterTheOther = async (): Promise<void> => {
    for (const item of left) {
      await work(item);
      done += 1;
      if (done % 1000 === 0) console.log(`${what}: ${done} after ${secondsSince(fromMs)} s`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, oneAfterTheOther));
}

const secondsSince = (fromMs: number): number => Math.round((performance.now() - fromMs) / 1000);

async function eventsOfAll(ids: readonly string[]): Promise<number> {
  let events = 0;
  await forEach('counted', ids, async (id) => {
    const { historyLength } = await temporal.client.workflow.getHandle(id).describe();
    events += historyLength;
  });
  return events;
}

test(
  `${MANY} that wait write no event and make no call, and all go on after the consent, with one call each`,
  async () => {
    const { door, activities } = aProvider();
    await temporal.run(activities, async () => {
      const { client, taskQueue } = temporal;
      const connectionId = `con-${randomUUID()}`;
      const connection = await client.workflow.start(CONNECTION_WORKFLOW, {
        taskQueue,
        workflowId: connectionWorkflowId(connectionId),
        args: [{ id: connectionId }],
      });
      const uids = Array.from({ length: MANY }, () => `agr-${randomUUID()}`);
      await forEach('started', uids, (uid) =>
        client.workflow.start(AGREEMENT_WORKFLOW, {
          taskQueue,
          workflowId: agreementWorkflowId(uid),
          args: [{ uid, connectionId, mandate: A_MANDATE }],
        }),
      );
      const query = `ConnectionId = '${connectionId}' AND Awaiting = 'reauthorisation'`;
      const waiting = async (): Promise<number> => (await client.workflow.count(query)).count;
      await eventually(
        () => Promise.resolve(door.asked),
        (asked) => asked === MANY,
      );
      await eventually(waiting, (count) => count === MANY);

      const ids = uids.map(agreementWorkflowId);
      const before = await eventsOfAll(ids);
      expect(door.asked).toBe(MANY);
      const fromMs = performance.now();
      expect(await eventsOfAll(ids)).toBe(before);
      expect(door.asked).toBe(MANY);
      console.log(
        `${MANY} waiting runs: ${before / MANY} events each, 0 more in ${secondsSince(fromMs)} s, 0 calls`,
      );

      door.isOpen = true;
      const consentedMs = performance.now();
      await consentTo(connection);
      const halfway = eventually(
        () => Promise.resolve(door.asked),
        (asked) => asked >= MANY + 1000,
      );
      await halfway.then(() =>
        console.log(`the first thousand went on after ${secondsSince(consentedMs)} s`),
      );
      await eventually(
        () => Promise.resolve(door.asked),
        (asked) => asked >= 2 * MANY,
      );
      console.log(`all ${MANY} went on after ${secondsSince(consentedMs)} s`);
      await eventually(waiting, (count) => count === 0);
      expect(door.asked).toBe(2 * MANY);
    });
  },
  ALL_MS,
);
