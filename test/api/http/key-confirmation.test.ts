import { expect, test, vi } from 'vitest';
import { keepKeysConfirmed } from '../../../api/http/key-confirmation.js';
import { anApi } from '../../support/api/app.js';

test('keys are confirmed in rounds, also after an outage, which is logged once', async () => {
  const { dependencies, door, keysNow, lines } = anApi();
  const stopping = new AbortController();
  const { confirmKeys } = door.webhookEndpoints;
  const away = new Error('the records are away');
  confirmKeys.mockRejectedValueOnce(away).mockRejectedValueOnce(away);
  const pause = vi.fn(() => {
    keysNow.splice(1);
    if (confirmKeys.mock.calls.length === 4) stopping.abort();
    return Promise.resolve();
  });
  await keepKeysConfirmed({ ...dependencies, clock: { now: () => 0, pause } }, stopping.signal);
  expect(confirmKeys.mock.calls.map(([, which]) => which)).toEqual(['all', 'all', 'all', 'undelivered']);
  expect(confirmKeys.mock.lastCall?.[0]).toEqual([
    {
      ...{ id: 'id-all', principal: 'key-all', connections: undefined },
      scopes: ['read', 'write', 'operate', 'stop', 'decode'],
    },
  ]);
  expect(lines.filter((line) => line.includes('not confirmed'))).toHaveLength(1);
});
