import { mkdir, rm, writeFile } from 'node:fs/promises';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { beforeAll, expect, test } from 'vitest';
import { useTemporal } from '../support/temporal.js';
import { ROOT, UNRELEASED, fileOf, folderOf, namesOf } from './histories.js';
import { SCRIPTS, activitiesOf } from './all-scripts.js';

const temporal = useTemporal({ isClear: true });

beforeAll(async () => {
  await mkdir(folderOf(UNRELEASED), { recursive: true });
  const gone = namesOf(UNRELEASED).filter((name) => !Object.hasOwn(SCRIPTS, name));
  await Promise.all(gone.map((name) => rm(fileOf(UNRELEASED, name))));
});

for (const [name, script] of Object.entries(SCRIPTS)) {
  test(`records ${name}`, async () => {
    await temporal.run(activitiesOf(script), async () => {
      const runs = await script.live(temporal);
      const histories = await Promise.all(
        runs.map(async (run) => {
          const history: unknown = JSON.parse(historyToJSON(await run.fetchHistory()));
          return { workflowId: run.workflowId, history };
        }),
      );
      expect(histories.length).toBeGreaterThan(0);
      await writeFile(fileOf(UNRELEASED, name), `${JSON.stringify(histories).replaceAll(ROOT, '')}\n`);
    });
  });
}
