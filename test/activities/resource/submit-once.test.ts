import { setTimeout as pause } from 'node:timers/promises';
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, test } from 'vitest';
import { callOnce, type LastChecks } from '../../../activities/resource/submit-once.js';
import { createReadStop, requireNoStop } from '../../../activities/temporal/stops.js';
import { PaymentsApiError } from '../../../payments-api/errors.js';
import type { WithAccess } from '../../../activities/tokens/access.js';
import type { Call } from '../../../payments-api/client.js';

/** Reads one token, and another one after a refused call. */
const access =
  (readToken: (time: number) => Promise<string>): WithAccess =>
  async (connectionId, work) => {
    const first = await readToken(1);
    return work({ accessToken: first, connectionId }).catch(async () =>
      work({ accessToken: await readToken(2), connectionId }),
    );
  };
const token = () => Promise.resolve('t');

interface Scene {
  readToken?: (time: number) => Promise<string>;
  send?: (call: Call) => Promise<string>;
  heartbeat?: () => Promise<void>;
  lastChecks?: LastChecks;
}

function call({ readToken = token, send = sent, heartbeat = () => Promise.resolve(), lastChecks }: Scene) {
  const temporal = { withDeadline: (_at: number, work: () => unknown) => work(), activity: { heartbeat } };
  const deps = { withAccess: access(readToken), temporal } as unknown as Parameters<typeof callOnce>[0];
  return new MockActivityEnvironment().run(() => callOnce(deps, 'acme', send, lastChecks));
}

async function sent({ beforeWrite }: Call): Promise<string> {
  await beforeWrite?.();
  return 'sent';
}
const refusing = (code: 'unauthorised' | 'unavailable') => async (given: Call) => {
  await sent(given);
  throw new PaymentsApiError(code, 'refused', { status: code === 'unavailable' ? 503 : 401 });
};

test.each([
  [
    'the token cannot be read',
    { readToken: () => Promise.reject(new Error('query timed out')) },
    'not_marked',
  ],
  [
    'no connection to the provider stands',
    { send: () => Promise.reject(new PaymentsApiError('unavailable', 'ECONNREFUSED')) },
    'not_marked',
  ],
  ['Temporal does not take the mark', { heartbeat: () => Promise.reject(new Error('away')) }, 'not_marked'],
  [
    'the token was refused, and the next one cannot be read',
    {
      send: refusing('unauthorised'),
      readToken: (time: number) => (time === 1 ? token() : Promise.reject(new Error('query timed out'))),
    },
    'not_marked',
  ],
  [
    'our own check refuses the request',
    { send: () => Promise.reject(new PaymentsApiError('rejected', 'x')) },
    'rejected',
  ],
  ['the provider answers 503', { send: refusing('unavailable') }, 'unavailable'],
])('if %s, the failure is as certain as what happened', async (_what, scene, type) => {
  await expect(call(scene)).rejects.toMatchObject({ type });
});

test('a stop during the wait for Temporal prevents the call, however long it took', async () => {
  let isStopped = false;
  const read = () => Promise.resolve(isStopped ? [{ reason: 'wrong amounts', by: 'ops', since: '' }] : []);
  let nowMs = 0;
  const readStop = createReadStop({ now: () => nowMs, read });
  await readStop('acme');
  const heartbeat = async (): Promise<void> => {
    isStopped = true;
    nowMs += 5001;
    await pause(1);
  };
  await expect(
    call({ heartbeat, lastChecks: () => requireNoStop({ readStop }, 'acme') }),
  ).rejects.toMatchObject({
    type: 'stopped',
  });
});
