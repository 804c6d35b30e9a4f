// The endless-looking answer: exactly as long as told, no faster than it is read, and over when nobody reads.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { hugeBody } from '../../sandbox/calls/slow-answers.js';
import { aRawCaller } from './fault-requests.js';
import { aWorld } from './world.js';

const MIB = 1024 * 1024;

test.each([1, 9, 100_000, 3 * MIB])(
  'of %i bytes it is exactly that long, and begins like JSON',
  async (bytes) => {
    const world = await aWorld();
    const raw = await aRawCaller(world.url);
    world.control.addFault({ on: 'list_agreements', do: 'huge_body', bytes });
    const { status, headers, body, isComplete } = await raw.get('/payto/agreements');
    expect([status, headers['content-type'], isComplete]).toEqual([200, 'application/json', true]);
    expect(body).toHaveLength(bytes);
    expect(body.slice(0, 16)).toBe('{"data":[{"uid":'.slice(0, bytes));
    expect(() => JSON.parse(body) as unknown).toThrow();
  },
);

test('a GiB weighs nothing while nobody takes it, and other calls are answered meanwhile', async () => {
  const world = await aWorld();
  const raw = await aRawCaller(world.url);
  world.control.addFault({ on: 'list_agreements', do: 'huge_body' });
  const response = await raw.open('/payto/agreements');
  response.pause();
  const before = process.memoryUsage().arrayBuffers;
  await sleep(300);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20 * MIB);
  expect((await world.caller.get('/ping')).status).toBe(200);

  let taken = 0;
  response.on('data', (piece: Buffer) => {
    taken += piece.length;
    if (taken > 32 * MIB) response.destroy();
  });
  response.resume();
  await once(response, 'close');
  expect(taken).toBeLessThan(40 * MIB);
});

test('no more of it is made once the reader has left', async () => {
  const reader = hugeBody(1024 * MIB).getReader();
  await reader.read();
  await reader.cancel();
  expect(await reader.read()).toEqual({ done: true, value: undefined });
});
