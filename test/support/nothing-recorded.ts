import type { RecordBatch, RecordOutcome } from '../../domain/records/batch.js';
import type { RecordDefinition } from '../../workflows/engine/recording.js';

export const nothingRecorded = <State>(): RecordDefinition<State> => ({
  resource: 'notification',
  idsOf: () => ({ uid: 'none' }),
  viewOf: () => ({}),
  changes: () => [],
  factsOf: () => [],
});

export const stored = ({ row }: RecordBatch): Promise<RecordOutcome> =>
  Promise.resolve({ newest: row.version });

export const NO_RECORDS = {
  record: stored,
  write: stored,
  readRecord: () => Promise.resolve(undefined),
  copyKey: () => Promise.resolve(),
};
