// The real door to real connection workflows: what is asked of one that ends just then, or asked for more than once.
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createCalls } from '../../../api/temporal/calls.js';
import { createConnectionChoice } from '../../../api/temporal/connection-choice.js';
import { createConnectionsDoor } from '../../../api/temporal/connections.js';
import type { ConnectionsDoor } from '../../../api/temporal/connections.js';
import { connectionWorkflowId } from '../../../workflows/connection/contract.js';
import { fastForward, useTemporal } from '../../support/temporal.js';
import { exchangeCode } from '../../support/workflows/connections.js';
import { only } from '../../support/workflows/provider.js';
import { now, refusal } from '../../support/api/door.js';
import type { ConsentRound } from '../../../workflows/connection/contract.js';

const temporal = useTemporal();
const REVOCATION = { reason: 'a test', by: 'ops' };

/** A connection that is ended by force right after each time it was found to be there. */
async function endingOnceSeen(work: (door: ConnectionsDoor, id: string) => Promise<void>): Promise<void> {
  await temporal.run(only({}), async () => {
    const { client, taskQueue } = temporal;
    const calls = createCalls(client, taskQueue);
    const describe: typeof calls.describe = async (workflowId) => {
      const seen = await calls.describe(workflowId);
      await client.workflow.getHandle(workflowId).terminate('a test');
      return seen;
    };
    const door = createConnectionsDoor({ ...calls, describe }, createConnectionChoice(calls));
    const id = `c-${randomUUID()}`;
    await door.begin(id);
    await work(door, id);
    const { status } = await client.workflow.getHandle(connectionWorkflowId(id)).describe();
    expect(status.name).toBe('TERMINATED');
  });
}

test('a new link and a revocation of a connection that ends meanwhile are of none that is known', async () => {
  const notFound = { code: 'not_found' };
  await endingOnceSeen(async (door, id) => expect(await refusal(door.renew(id))).toMatchObject(notFound));
  await endingOnceSeen(async (door, id) =>
    expect(await refusal(door.revoke(id, REVOCATION))).toMatchObject(notFound),
  );
});

test('a consent to a connection that ends meanwhile is of a round that nobody knows', async () => {
  await endingOnceSeen(async (door, id) =>
    expect(await door.complete(id, { round: 1, expiresAt: now(), sealedCode: 'sealed' })).toEqual({
      refused: 'consent_round_unknown',
    }),
  );
});

describe('a link that is asked for again with the same key', () => {
  interface Asking {
    renew: (key?: string) => ReturnType<ConnectionsDoor['renew']>;
    consent: (round: ConsentRound) => ReturnType<ConnectionsDoor['complete']>;
    passes: (seconds: number) => Promise<void>;
  }
  const asking = (work: (asking: Asking) => Promise<void>): Promise<void> =>
    temporal.run(only({ exchangeCode }), async () => {
      const { client, taskQueue } = temporal;
      const calls = createCalls(client, taskQueue);
      const door = createConnectionsDoor(calls, createConnectionChoice(calls));
      const id = `c-${randomUUID()}`;
      await door.begin(id);
      await work({
        renew: (key) => door.renew(id, { key }),
        consent: (round) => door.complete(id, { ...round, sealedCode: 'sealed' }),
        passes: (seconds) => fastForward(client, connectionWorkflowId(id), seconds),
      });
    });
  const GOOD = {};
  const USED = { refused: 'consent_round_unknown' };

  test('is of the same round, however often and by how many it is asked, and is good once', async () => {
    await asking(async ({ renew, consent, passes }) => {
      const first = await renew('job 7');
      const [again, atOnce] = await Promise.all([renew('job 7'), renew('job 7')]);
      expect([again, atOnce]).toEqual([first, first]);
      await passes(9 * 60);
      expect(await renew('job 7')).toEqual(first);
      expect(await consent(first)).toEqual(GOOD);
      expect(await consent(again)).toEqual(USED);
    });
  });

  test('is of a new round once the ten minutes are over, and good for ten more', async () => {
    await asking(async ({ renew, consent, passes }) => {
      const first = await renew('job 7');
      await passes(601);
      const later = await renew('job 7');
      expect(later.round).toBe(first.round + 1);
      expect(await renew('job 7')).toEqual(later);
      expect(await consent(first)).toEqual(USED);
      expect(await consent(later)).toEqual(GOOD);
    });
  });

  test('is of a new round once a person has used it', async () => {
    await asking(async ({ renew, consent }) => {
      const first = await renew('job 7');
      await consent(first);
      const next = await renew('job 7');
      expect(next.round).toBe(first.round + 1);
      expect(await consent(next)).toEqual(GOOD);
    });
  });

  test.each([
    ['another key', 'job 8'],
    ['none', undefined],
  ])('closes the round that %s has opened since, and is good', async (_, other) => {
    await asking(async ({ renew, consent }) => {
      const first = await renew('job 7');
      const between = await renew(other);
      expect(between.round).toBe(first.round + 1);
      const last = await renew('job 7');
      expect(last.round).toBe(first.round + 2);
      for (const closed of [first, between]) expect(await consent(closed)).toEqual(USED);
      expect(await consent(last)).toEqual(GOOD);
    });
  });

  test('is another each time where no key is given', async () => {
    await asking(async ({ renew }) => {
      const [first, second] = [await renew(), await renew()];
      expect(second.round).toBe(first.round + 1);
    });
  });
});
