import { onTestFinished, test } from 'vitest';
import { auditId } from '../../workflows/audit/contract.js';
import { active } from '../support/on-the-road.js';
import { onASweptRoad } from '../support/sweeping.js';
import { eventually, useTemporal } from '../support/temporal.js';

const temporal = useTemporal();

test('the audit delivers a suspension whose webhook was lost', async () => {
  await onASweptRoad(
    temporal,
    async ({ road, connection }) => {
      const schedule = temporal.client.schedule.getHandle(auditId(connection));
      await eventually(
        () => schedule.describe().catch(() => undefined),
        (described) => described !== undefined,
      );
      onTestFinished(() => schedule.delete());
      const uid = await active(road, connection);
      road.sandbox.control.actAsPayer(uid, 'suspend');
      await schedule.trigger('SKIP');
      await road.backend.untilAgreement(uid, ({ state }) => state === 'suspended');
    },
    { audit: { everyMs: 24 * 3_600_000 } },
  );
});
