import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { agreementAnswers } from '../../../workflows/payment/contract.js';
import { useTemporal } from '../../support/temporal.js';
import { startPayment, untilPayment } from '../../support/workflows/starting.js';

const temporal = useTemporal();

test('a submission that no worker has begun with is taken back when its agreement allows it no more', async () => {
  const unpolled = `test-${randomUUID()}`;
  await temporal.run(
    {},
    async () => {
      const handle = await startPayment(temporal);
      await untilPayment(handle, ({ submissions }) => submissions === 1);
      const refusal = { code: 'agreement_not_active', detail: 'Expected an active agreement.' };
      await handle.signal(agreementAnswers, { refusal });
      expect(await handle.result()).toMatchObject({
        state: 'failed',
        submissions: 0,
        failure: { code: 'agreement_not_active' },
      });
      const { events } = await handle.fetchHistory();
      const types = (events ?? []).map(({ activityTaskScheduledEventAttributes: scheduled }) => scheduled);
      expect(types.filter((scheduled) => scheduled !== null && scheduled !== undefined)).toHaveLength(1);
    },
    unpolled,
  );
});
