// Handing over to a fresh run while a command is on its way to the provider: it is seen through, and not sent again.
import { describe, expect, test } from 'vitest';
import { agreementFact, requestAction } from '../../workflows/agreement.contract.js';
import { aFact } from '../domain/facts.js';
import { eventually, eventsOf, useTemporal } from '../temporal.js';
import { agreementLook, only } from './provider.js';
import { newestOf, runsOf } from './runs.js';
import { startAgreement, untilAgreement } from './starting.js';
import type { Activities } from '../../activities/index.js';

const temporal = useTemporal();
const SUSPEND = {
  kind: 'suspension',
  body: { reason: 'customer_requested', narrative: 'As asked' },
} as const;

describe('an agreement that grows long while a command is on its way', () => {
  test('hands over once the provider has answered, and has sent it once', { timeout: 120_000 }, async () => {
    let sent = 0;
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const actOnAgreement: Activities['actOnAgreement'] = async () => {
      sent += 1;
      await answered;
      return { outcome: 'accepted' };
    };
    const createAgreement: Activities['createAgreement'] = ({ uid }) =>
      Promise.resolve(agreementLook(uid, 'created'));
    await temporal.run(only({ createAgreement, actOnAgreement }), async () => {
      const first = await startAgreement(temporal);
      const { runId } = await first.describe();
      await first.signal(agreementFact, aFact('activated'));
      await untilAgreement(first, ({ state }) => state === 'active');
      await first.executeUpdate(requestAction, { args: [{ key: 'k', ask: SUSPEND }] });
      await eventually(() => Promise.resolve(sent), (count) => count === 1); // prettier-ignore
      for (let count = 0; count < 520; count += 1)
        await first.signal(agreementFact, aFact('cancellation_failed'));
      await untilAgreement(first, ({ factCount }) => factCount >= 522);
      expect(await eventsOf(first)).toBeGreaterThan(500);
      answer();
      const newest = newestOf(temporal.client, first.uid);
      await eventually(() => newest.describe(), (run) => run.runId !== runId); // prettier-ignore
      const view = await untilAgreement(newest, ({ awaiting }) => awaiting.what === 'action-outcome');
      expect(view.actions).toMatchObject([{ key: 'k', stage: 'accepted' }]);
      await newest.signal(agreementFact, aFact('suspended', { causedBy: 'initiator' }));
      await untilAgreement(newest, ({ pending }) => pending.length === 0);
      expect(sent).toBe(1);
      expect(await runsOf(temporal.client, first.uid, runId)).toHaveLength(2);
    });
  });
});
