// Random lives of agreements on the whole road: the real API, Temporal, activities and client, and the sandbox with its faults as
// the provider. However it went, in the end we have what the provider has. The seed is printed, and leads to the same stories.
import { expect, test } from 'vitest';
import { onTheRoad } from '../support/on-the-road.js';
import { readModelConfig } from '../model/config.js';
import { useTemporal } from '../support/temporal.js';
import { storiesFrom } from '../support/long/agreement-stories.js';
import { begin, faultsOf, settle, walk } from '../support/long/agreement-walk.js';
import type { Road } from '../support/road.js';
import type { Story } from '../support/long/agreement-stories.js';

const temporal = useTemporal();
const { seed, runs = 50 } = readModelConfig();
/** So many agreements live at the same time. */
const TOGETHER = 10;
const SIX_DAYS_SECONDS = 6 * 24 * 60 * 60;

test(`in the end we have what the provider has, whatever happened on the road (seed ${seed})`, async () => {
  console.info(
    `again: MODEL_SEED=${seed} MODEL_RUNS=${runs} npm run test:long -- test/long/agreement-model.test.ts`,
  );
  const stories = storiesFrom(seed, runs);
  const faults: string[] = [];
  await onTheRoad(temporal, async (road, connection) => {
    for (let first = 0; first < stories.length; first += TOGETHER) {
      faults.push(...(await liveTogether(road, connection, stories.slice(first, first + TOGETHER), first)));
    }
  });
  expect(faults).toEqual([]);
});

async function liveTogether(
  road: Road,
  connection: string,
  stories: Story[],
  first: number,
): Promise<string[]> {
  const { control } = road.sandbox;
  const lives = await Promise.all(stories.map((story) => begin(road, connection, story)));
  await Promise.all(lives.map((life) => walk(road, life)));
  // In every other group the payers have had their time: what was never answered expires, told of or not.
  if ((first / TOGETHER) % 2 === 1) await control.advance(SIX_DAYS_SECONDS);
  control.clearFaults();
  await control.flushWebhooks();
  const ends = lives.map(async (life, index) => {
    const shown = await settle(road, temporal, life);
    const found = await faultsOf(road, life, shown);
    console.info(
      `run ${first + index + 1}: ${life.story.payer}, ${life.story.steps.length} steps, ${shown.state}${found.length === 0 ? '' : `: ${found.join('; ')}`}`,
    );
    return found.map(
      (fault) => `run ${first + index + 1} (${life.uid}): ${fault}\n${JSON.stringify(life.story)}`,
    );
  });
  return (await Promise.all(ends)).flat();
}
