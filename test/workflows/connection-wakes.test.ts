// Whom a consent wakes: each has walks of its own, though those of the consent before it may still be under way.
import { expect, test } from 'vitest';
import { ApplicationFailure } from '@temporalio/common';
import { eventually, fastForward, useTemporal } from '../support/temporal.js';
import { consentTo, consented, exchangeCode } from './connections.js';
import { only } from './provider.js';
import type { Activities } from '../../activities/index.js';

const temporal = useTemporal();

/** Walks as they were asked for; a first one is for all who wait, and has no `since`. */
function walking() {
  const walks: (string | undefined)[] = [];
  const wakeWaiting: Activities['wakeWaiting'] = ({ since }) => Promise.resolve(walks.push(since));
  const firsts = () => walks.filter((since) => since === undefined).length;
  const until = (isIt: () => boolean) => eventually(() => Promise.resolve(isIt()), Boolean);
  return { walks, wakeWaiting, firsts, until };
}

test('a second consent has walks of its own, though the sweep of the first can still not be scheduled', async () => {
  const { walks, wakeWaiting, firsts, until } = walking();
  let isScheduled = false;
  const ensureSweep: Activities['ensureSweep'] = () =>
    isScheduled
      ? Promise.resolve('created')
      : Promise.reject(ApplicationFailure.create({ type: 'unavailable' }));
  await temporal.run(only({ exchangeCode, wakeWaiting, ensureSweep }), async () => {
    const handle = await consented(temporal);
    await until(() => firsts() === 1);
    await fastForward(temporal.client, handle.workflowId, 130);
    await until(() => walks.length === 4);
    await consentTo(handle);
    await until(() => firsts() === 2);
    await fastForward(temporal.client, handle.workflowId, 130);
    await until(() => walks.length === 8);
    expect(walks.map((since) => since === undefined)).toEqual([true, false, false, false, true, false, false, false]); // prettier-ignore
    // Both are over once it can be: the next is a wake like the first, and begins at once.
    isScheduled = true;
    await fastForward(temporal.client, handle.workflowId, 601);
    await eventually(() => handle.describe(), ({ raw }) => (raw.pendingActivities ?? []).length === 0); // prettier-ignore
    await consentTo(handle);
    await until(() => firsts() === 3);
  });
});

test('a second consent while late-comers of the first are awaited begins at once, with a walk for all', async () => {
  const { walks, wakeWaiting, firsts, until } = walking();
  await temporal.run(only({ exchangeCode, wakeWaiting }), async () => {
    const handle = await consented(temporal);
    await until(() => firsts() === 1);
    await consentTo(handle);
    await until(() => firsts() === 2);
    const before = walks.length;
    await fastForward(temporal.client, handle.workflowId, 600);
    // What was left of the first one's walks is called off, and nobody is told once more after the last of the second.
    await until(() => walks.length === before + 3);
    expect(firsts()).toBe(2);
    const { raw } = await handle.describe();
    expect(raw.pendingActivities ?? []).toEqual([]);
  });
});
