import { Worker } from '@temporalio/worker';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { UNSTORED } from '../support/workers.js';
import { quietly } from '../support/temporal.js';
import { ofToday, runsOf, storiesOf, versions } from './histories.js';
import { STORIES } from './stories.js';

const version = ofToday(versions());
if (version === undefined) throw new Error('expected recorded histories; run npm run record:histories');
const recorded = storiesOf(version);
const runs = recorded.flatMap((story) => runsOf(version, story).map((run) => ({ story, ...run })));
const failures = new Map<string, unknown[]>();

beforeAll(async () => {
  quietly();
  const options = { workflowBundle: { codePath: inject('workflowBundle') }, sinks: UNSTORED };
  const replayed = Worker.runReplayHistories(options, runs);
  let place = 0;
  for await (const { error } of replayed) {
    const story = runs[place]?.story ?? '';
    if (error !== undefined) failures.set(story, [...(failures.get(story) ?? []), error]);
    place += 1;
  }
  expect(place).toBe(runs.length);
});

describe(`recorded histories of ${version}`, () => {
  test('cover every story and no other', () => {
    expect(recorded.toSorted()).toEqual(Object.keys(STORIES).toSorted());
  });

  test.each(recorded)('replay %s without an error', (story) => {
    expect(failures.get(story)).toBeUndefined();
  });
});
