import type { RecordDefinition } from '../../workflows/engine/recording.js';

export const nothingRecorded = <State>(): RecordDefinition<State> => ({
  resource: 'notification',
  idsOf: () => ({ uid: 'none' }),
  viewOf: () => ({}),
  changes: () => [],
  factsOf: () => [],
});

export const NO_RECORDS = {
  recordNow: (): Promise<void> => Promise.resolve(),
  record: (): Promise<void> => Promise.resolve(),
};
