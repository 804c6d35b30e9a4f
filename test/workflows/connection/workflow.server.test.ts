import { describe, expect, test } from 'vitest';
import { getAccess, getConnection, tokensRefreshed } from '../../../workflows/connection/contract.js';
import { eventually, useTemporal } from '../../support/temporal.js';
import { consented, exchangeCode, tokens } from '../../support/workflows/connections.js';
import { only } from '../../support/workflows/provider.js';

const temporal = useTemporal();

describe('connection with a long history', () => {
  test('continues as new without a loss of its tokens', async () => {
    await temporal.run(only({ exchangeCode }), async () => {
      const first = await consented(temporal);
      const { runId } = await first.describe();
      const newest = temporal.client.workflow.getHandle(first.workflowId);
      for (let sent = 0; sent < 520; sent += 40) {
        await Promise.all(Array.from({ length: 40 }, () => newest.signal(tokensRefreshed, tokens(1))));
        await newest.query(getConnection);
      }
      await eventually(
        () => newest.describe(),
        (run) => run.runId !== runId,
      );
      expect(await newest.query(getAccess)).toMatchObject({ status: 'healthy', generation: 1 });
      await newest.terminate();
    });
  });
});
