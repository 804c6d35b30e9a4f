import { readFileSync } from 'node:fs';
import { Worker } from '@temporalio/worker';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { z } from 'zod';
import { quietly } from '../support/temporal.js';
import { UNRELEASED, fileOf, storiesOf, versions } from './histories.js';
import { STORIES } from './stories.js';

const Recorded = z.array(z.object({ workflowId: z.string(), history: z.unknown() })).min(1);
const recorded = versions().flatMap((version) =>
  storiesOf(version).map((story) => [version, story] as const),
);

beforeAll(quietly);

describe('recorded histories', () => {
  test('cover every story, so that no reachable path goes unguarded', () => {
    expect(storiesOf(UNRELEASED)).toEqual(Object.keys(STORIES).toSorted());
  });

  test.each(recorded)('%s: %s replays', async (version, story) => {
    const runs = Recorded.parse(JSON.parse(readFileSync(fileOf(version, story), 'utf8')));
    for (const { workflowId, history } of runs) {
      await Worker.runReplayHistory(
        { workflowBundle: { codePath: inject('workflowBundle') } },
        history,
        workflowId,
      );
    }
  });
});
