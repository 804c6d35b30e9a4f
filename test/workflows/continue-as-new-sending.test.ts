// Handing over to a fresh run while a command is on its way to the provider: it is seen through, and not sent again.
import { describe, expect, test } from 'vitest';
import { agreementFact, requestAction } from '../../workflows/agreement/contract.js';
import { aFact } from '../domain/facts.js';
import { eventually, eventsOf, useTemporal } from '../support/temporal.js';
import { agreementLook, only } from './provider.js';
import { newestOf, runsOf } from './runs.js';
import { startAgreement, untilAgreement } from './starting.js';

const temporal = useTemporal();
const SUSPEND = {
  kind: 'suspension',
  body: { reason: 'customer_requested', narrative: 'As asked' },
} as const;

/** A provider that answers the first command when it is told to, and each later one at once. */
function slowProvider() {
  const sent: string[] = [];
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const activities = only({
    createAgreement: ({ uid }) => Promise.resolve(agreementLook(uid, 'created')),
    actOnAgreement: async ({ ask }) => {
      sent.push(ask.kind);
      if (sent.length === 1) await answered;
      return { outcome: 'accepted' };
    },
  });
  return { sent, answer: () => { answer(); }, activities };
} // prettier-ignore

type Handle = Awaited<ReturnType<typeof startAgreement>>;

/** An active agreement whose suspension is on its way to the provider. */
async function suspending(sent: readonly string[]): Promise<{ first: Handle; runId: string }> {
  const first = await startAgreement(temporal);
  const { runId } = await first.describe();
  await first.signal(agreementFact, aFact('activated'));
  await untilAgreement(first, ({ state }) => state === 'active');
  await first.executeUpdate(requestAction, { args: [{ key: 'k', ask: SUSPEND }] });
  await eventually(() => Promise.resolve(sent.length), (count) => count === 1); // prettier-ignore
  return { first, runId };
}

async function grown(first: Handle): Promise<void> {
  for (let count = 0; count < 520; count += 1)
    await first.signal(agreementFact, aFact('cancellation_failed'));
  await untilAgreement(first, ({ factCount }) => factCount >= 522);
  expect(await eventsOf(first)).toBeGreaterThan(500);
}

describe('an agreement that grows long while a command is on its way', () => {
  test('hands over once the provider has answered, and has sent it once', { timeout: 120_000 }, async () => {
    const { sent, answer, activities } = slowProvider();
    await temporal.run(activities, async () => {
      const { first, runId } = await suspending(sent);
      await grown(first);
      expect(sent).toEqual(['suspension']);
      answer();
      const newest = newestOf(temporal.client, first.uid);
      await eventually(() => newest.describe(), (run) => run.runId !== runId); // prettier-ignore
      const view = await untilAgreement(newest, ({ awaiting }) => awaiting.what === 'action-outcome');
      expect(view.actions).toMatchObject([{ key: 'k', stage: 'accepted' }]);
      await newest.signal(agreementFact, aFact('suspended', { causedBy: 'initiator' }));
      await untilAgreement(newest, ({ pending }) => pending.length === 0);
      expect(sent).toEqual(['suspension']);
      expect(await runsOf(temporal.client, first.uid, runId)).toHaveLength(2);
    });
  });

  test(
    'waits for one whose outcome was told meanwhile, and sends the next from the fresh run',
    { timeout: 120_000 },
    async () => {
      const { sent, answer, activities } = slowProvider();
      await temporal.run(activities, async () => {
        const { first, runId } = await suspending(sent);
        await first.signal(agreementFact, aFact('suspended', { causedBy: 'initiator' }));
        await grown(first);
        const newest = newestOf(temporal.client, first.uid);
        expect((await newest.describe()).runId).toBe(runId);
        answer();
        await eventually(() => newest.describe(), (run) => run.runId !== runId); // prettier-ignore
        const resume = { key: 'r', ask: { kind: 'reactivation', body: {} } } as const;
        await newest.executeUpdate(requestAction, { args: [resume] });
        await untilAgreement(newest, ({ actions }) => actions[1]?.stage === 'accepted');
        expect(sent).toEqual(['suspension', 'reactivation']);
      });
    },
  );
});
