import { readFileSync, readdirSync } from 'node:fs';
import { Worker } from '@temporalio/worker';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { z } from 'zod';
import { quietly } from '../support/temporal.js';
import { HISTORIES, fileOf } from './histories.js';
import { STORIES } from './stories.js';

const Recorded = z.array(z.object({ workflowId: z.string(), history: z.unknown() })).min(1);
const names = readdirSync(HISTORIES).map((file) => file.replace(/\.json$/, ''));

beforeAll(quietly);

describe('recorded histories', () => {
  test('hold every story, so that no reachable path goes unguarded', () => {
    expect(names).toEqual(expect.arrayContaining(Object.keys(STORIES)));
  });

  test.each(names)('%s replays', async (name) => {
    const runs = Recorded.parse(JSON.parse(readFileSync(fileOf(name), 'utf8')));
    for (const { workflowId, history } of runs) {
      await Worker.runReplayHistory(
        { workflowBundle: { codePath: inject('workflowBundle') } },
        history,
        workflowId,
      );
    }
  });
});
