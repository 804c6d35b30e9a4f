// Histories that were recorded replay on today's code: those of what is not released, and of every release.
import { readFileSync } from 'node:fs';
import { Worker } from '@temporalio/worker';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { z } from 'zod';
import { quietly } from '../support/temporal.js';
import { UNRELEASED, fileOf, storiesOf, versions } from './histories.js';
import { STORIES } from './stories.js';

const Recorded = z.array(z.object({ workflowId: z.string(), history: z.unknown() })).min(1);
const recorded = versions().flatMap((version) =>
  storiesOf(version).map((story) => ({ name: `${version}: ${story}`, file: fileOf(version, story) })),
);
const runs = recorded.flatMap(({ name, file }) =>
  Recorded.parse(JSON.parse(readFileSync(file, 'utf8'))).map((run) => ({ name, ...run })),
);
const failures = new Map<string, unknown[]>();

// One replay worker for all: to make one costs more than what it replays.
beforeAll(async () => {
  quietly();
  const options = { workflowBundle: { codePath: inject('workflowBundle') } };
  const replayed = Worker.runReplayHistories(options, runs);
  let place = 0;
  for await (const { error } of replayed) {
    const name = runs[place]?.name ?? '';
    if (error !== undefined) failures.set(name, [...(failures.get(name) ?? []), error]);
    place += 1;
  }
  expect(place).toBe(runs.length);
});

describe('recorded histories', () => {
  test('cover every story, so that no reachable path goes unguarded', () => {
    expect(storiesOf(UNRELEASED).toSorted()).toEqual(Object.keys(STORIES).toSorted());
  });

  test.each(recorded.map(({ name }) => name))('%s replays', (name) => {
    expect(failures.get(name)).toBeUndefined();
  });
});
