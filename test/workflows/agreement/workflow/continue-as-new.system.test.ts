import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { AGREEMENT_LIFECYCLE } from '../../../../domain/agreement/lifecycle.js';
import { fold } from '../../../../domain/facts/fold.js';
import { agreementFact } from '../../../../workflows/agreement/contract.js';
import { aFact } from '../../../support/facts.js';
import { sizeOf } from '../../../support/size.js';
import { useTemporal } from '../../../support/temporal.js';
import { fetchedAgreement, only } from '../../../support/workflows/provider.js';
import {
  countIn,
  newestOf,
  runsOf,
  unknownTo,
  startAgreement,
  untilAgreement,
} from '../../../support/workflows/runs.js';
import type { Fact } from '../../../../domain/facts/fact.js';

const temporal = useTemporal();
const world = only({ createAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'created')) });
const SENDERS = 8;

const typeOf = (place: number): string => {
  if (place === 0) return 'activated';
  if (place % 100 !== 0) return 'amendment_declined';
  return place % 200 === 0 ? 'reactivated' : 'suspended';
};
const aStream = (length: number): Fact[] => Array.from({ length }, (_, place) => aFact(typeOf(place)));

const AT_ONCE = 64;
const STILL_ON_THEIR_WAY = 32;

describe('continue-as-new of an agreement under a stream of events', () => {
  test('records each event exactly once from concurrent senders with duplicates', async () => {
    await temporal.run(world, async () => {
      const first = await startAgreement(temporal);
      const { runId } = await first.describe();
      const handle = newestOf(temporal.client, first.uid);
      const facts = aStream(sizeOf(700, 1700));
      const send = async (from: number, sender: number): Promise<void> => {
        for (let place = from + sender; place < Math.min(from + AT_ONCE, facts.length); place += SENDERS) {
          const repeat = place % 3 === 0 ? facts[place - 5 * SENDERS] : undefined;
          for (const fact of [facts[place], repeat])
            if (fact !== undefined) await handle.signal(agreementFact, fact);
        }
      };
      for (let from = 0; from < facts.length; from += AT_ONCE) {
        await Promise.all(Array.from({ length: SENDERS }, (_, sender) => send(from, sender)));
        await untilAgreement(handle, ({ factCount }) => factCount > from - STILL_ON_THEIR_WAY);
      }
      const expected = fold(AGREEMENT_LIFECYCLE, 'created', facts);
      expect(expected.conflicts).toEqual([]);
      const view = await untilAgreement(handle, ({ factCount }) => factCount >= facts.length);
      expect(view).toMatchObject({ state: expected.state, stateSince: expected.since });

      const last = aFact('cancelled');
      await handle.signal(agreementFact, last);
      const { state: carried } = (await first.result()).carried;
      const runs = await runsOf(temporal.client, first.uid, runId);
      expect(runs.length).toBeGreaterThanOrEqual(sizeOf(2, 4));
      expect(unknownTo(carried, [...facts, last])).toEqual([]);
      expect(countIn(carried)).toBe((carried.droppedHashes?.length ?? 0) + carried.facts.length);
    });
  });

  test('processes all events received during a worker outage and hands over once', async () => {
    const taskQueue = `away-${randomUUID()}`;
    const first = await temporal.run(
      world,
      async () => {
        const started = await startAgreement(temporal);
        await untilAgreement(started, ({ state }) => state === 'created');
        return started;
      },
      taskQueue,
    );
    const { runId } = await first.describe();
    const handle = newestOf(temporal.client, first.uid);
    const facts = aStream(sizeOf(400, 1000));
    await Promise.all(
      Array.from({ length: SENDERS }, async (_, sender) => {
        for (let place = sender; place < facts.length; place += SENDERS)
          await handle.signal(agreementFact, facts[place] ?? aFact('activated'));
      }),
    );
    await temporal.run(
      world,
      async () => {
        const { state, since } = fold(AGREEMENT_LIFECYCLE, 'created', facts);
        const view = await untilAgreement(handle, ({ factCount }) => factCount >= facts.length);
        expect(view).toMatchObject({ state, stateSince: since });
        await handle.signal(agreementFact, aFact('cancelled'));
        const { state: carried } = (await first.result()).carried;
        const runs = await runsOf(temporal.client, first.uid, runId);
        expect(runs.length).toBe(2);
        expect(unknownTo(carried, facts)).toEqual([]);
        expect(countIn(carried)).toBe(facts.length + 2);
      },
      taskQueue,
    );
  });
});
