// Handles batch rows that resolve a flag, under the same rules as a single resolution.
import { repeatOfUse, type KeyRegister } from '../../domain/commands/key-use.js';
import { useOfResolution, type AttentionResolution } from '../../domain/attention/resolution.js';
import { endedRefusal } from '../../domain/batch/repair-rows.js';
import { refusedRow, type ResolutionRow } from '../../domain/batch/rows.js';
import { resolveAttention, upgrade, type Carried } from '../../workflows/contracts/every-workflow.js';
import { refusalOfCommand } from './commands.js';
import { repairKey, type RowsOf, type RowsTask } from './rows.js';

interface Ended {
  carried: Carried<KeyRegister>;
}

export const RESOLUTION_ROWS: RowsOf<ResolutionRow> = {
  // The resource itself recognises a repeat, and judges the flag that the row names.
  judge: () => Promise.resolve(undefined),
  start: async (scene, row) => {
    const { resource, uid } = row;
    const request = resolutionOf(scene.task, row);
    const refusal = await refusalOfCommand<AttentionResolution, Ended>(scene, {
      ...{ resource, uid, definition: resolveAttention, request, by: 'a resolution' },
      atEnd: ({ carried }) =>
        repeatOfUse(upgrade(carried), useOfResolution(uid, request)) === 'same'
          ? { is: 'accepted' }
          : { is: 'refused', refusal: endedRefusal(resource) },
    });
    const at = new Date(scene.deps.now()).toISOString();
    return refusal === undefined ? { outcome: 'done', at } : refusedRow([refusal], at);
  },
  // A resolution has its answer at once.
  watch: (_, rows) => Promise.resolve(rows.map(() => null)),
};

function resolutionOf(task: RowsTask, { uid, since }: ResolutionRow): AttentionResolution {
  const { flag, reason, decision, by = task.by } = task.repair ?? {};
  if (flag === undefined || reason === undefined) throw new Error('a batch of resolutions needs a flag');
  return { key: repairKey(task, uid), code: flag, reason, decision, since, by };
}
