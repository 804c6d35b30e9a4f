import { onTestFinished, test } from 'vitest';
import { auditId } from '../../workflows/audit/contract.js';
import { active } from '../support/over-http.js';
import { withSweptConnection } from '../support/swept-connection.js';
import { eventually, useTemporal } from '../support/temporal.js';

const temporal = useTemporal();

test('the audit delivers a suspension whose webhook was lost', async () => {
  await withSweptConnection(
    temporal,
    async ({ http, connection }) => {
      const schedule = temporal.client.schedule.getHandle(auditId(connection));
      await eventually(
        () => schedule.describe().catch(() => undefined),
        (described) => described !== undefined,
      );
      onTestFinished(() => schedule.delete());
      const uid = await active(http, connection);
      http.sandbox.control.actAsPayer(uid, 'suspend');
      await schedule.trigger('SKIP');
      await http.backend.untilAgreement(uid, ({ state }) => state === 'suspended');
    },
    { audit: { everyMs: 24 * 3_600_000 } },
  );
});
