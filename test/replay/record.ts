// Records the histories that replay.test.ts replays. Run by `npm run record:histories`, never by `npm test`.
// What is there already is kept: a history, once recorded, must replay for ever. New stories are added.
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { expect, test } from 'vitest';
import { useTemporal } from '../support/temporal.js';
import { HISTORIES, ROOT, fileOf } from './histories.js';
import { STORIES, activitiesOf } from './stories.js';

const temporal = useTemporal({ isClear: true });

for (const [name, story] of Object.entries(STORIES)) {
  test.skipIf(existsSync(fileOf(name)))(`records ${name}`, async () => {
    await mkdir(HISTORIES, { recursive: true });
    await temporal.run(activitiesOf(story), async () => {
      const runs = await story.live(temporal);
      const histories = await Promise.all(
        runs.map(async (run) => {
          const history: unknown = JSON.parse(historyToJSON(await run.fetchHistory()));
          return { workflowId: run.workflowId, history };
        }),
      );
      expect(histories.length).toBeGreaterThan(0);
      // Stack traces name the folder of whoever records; a history must not.
      await writeFile(fileOf(name), `${JSON.stringify(histories).replaceAll(ROOT, '')}\n`);
    });
  });
}
