import { Worker } from '@temporalio/worker';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { UNSTORED } from '../support/workers.js';
import { quietly } from '../support/temporal.js';
import { ofToday, runsOf, namesOf, versions } from './histories.js';
import { SCRIPTS } from './all-scripts.js';

const version = ofToday(versions());
if (version === undefined) throw new Error('expected recorded histories; run npm run record:histories');
const recorded = namesOf(version);
const runs = recorded.flatMap((script) => runsOf(version, script).map((run) => ({ script, ...run })));
const failures = new Map<string, unknown[]>();

beforeAll(async () => {
  quietly();
  const options = { workflowBundle: { codePath: inject('workflowBundle') }, sinks: UNSTORED };
  const replayed = Worker.runReplayHistories(options, runs);
  let place = 0;
  for await (const { error } of replayed) {
    const script = runs[place]?.script ?? '';
    if (error !== undefined) failures.set(script, [...(failures.get(script) ?? []), error]);
    place += 1;
  }
  expect(place).toBe(runs.length);
});

describe(`recorded histories of ${version}`, () => {
  test('cover every script and no other', () => {
    expect(recorded.toSorted()).toEqual(Object.keys(SCRIPTS).toSorted());
  });

  test.each(recorded)('replay %s without an error', (script) => {
    expect(failures.get(script)).toBeUndefined();
  });
});
