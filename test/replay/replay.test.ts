import { readFileSync, readdirSync } from 'node:fs';
import { Worker } from '@temporalio/worker';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { z } from 'zod';
import { quietly } from '../support/temporal.js';
import { HISTORIES, fileOf } from './histories.js';
import { STORIES } from './stories.js';

const Recorded = z.array(z.object({ workflowId: z.string(), history: z.unknown() })).min(1);
const names = readdirSync(HISTORIES).map((file) => file.replace(/\.json$/, ''));

const runs = names.flatMap((name) =>
  Recorded.parse(JSON.parse(readFileSync(fileOf(name), 'utf8'))).map((run) => ({ name, ...run })),
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
  test('hold every story, so that no reachable path goes unguarded', () => {
    expect(names).toEqual(expect.arrayContaining(Object.keys(STORIES)));
  });

  test.each(names)('%s replays', (name) => {
    expect(failures.get(name)).toBeUndefined();
  });
});
