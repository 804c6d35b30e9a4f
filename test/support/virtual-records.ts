import { isDeepStrictEqual } from 'node:util';
import { overJson } from './virtual-runs.js';
import type { RecordBatch } from '../../domain/records/batch.js';
import type { RecordDefinition } from '../../workflows/engine/recording.js';
import type { Answers } from './virtual-runtime.js';

const AWAY_MS = 60_000;

export interface VirtualRecords<State> {
  answers: Pick<Answers, 'recordNow' | 'record'>;
  faultIn(state: State): string | undefined;
}

export function createVirtualRecords<State>(
  definition: RecordDefinition<State>,
  isAway: (call: number) => boolean,
  onAway: () => void,
): VirtualRecords<State> {
  const sequences: number[] = [];
  const factIds = new Set<string>();
  let row: RecordBatch['row'] | undefined;
  let calls = 0;
  const write = (batch: RecordBatch): void => {
    for (const { sequence, factId } of batch.entries) {
      if (!sequences.includes(sequence)) sequences.push(sequence);
      if (factId !== undefined) factIds.add(factId);
    }
    if (row === undefined || batch.row.version > row.version) row = overJson(batch.row);
  };
  return {
    answers: {
      recordNow: (batch) => (done) => {
        if (isAway((calls += 1))) {
          onAway();
          return done({ stop: { code: 'unanswered', providerCodes: [] } });
        }
        write(batch);
        done({ ok: undefined });
      },
      record: (batch) => (done) => {
        if (isAway((calls += 1))) return done({ again: 'unavailable', afterMs: () => AWAY_MS });
        write(batch);
        done({ ok: undefined });
      },
    },
    faultIn: (state) => {
      if (sequences.some((one, index) => one <= (sequences[index - 1] ?? 0)))
        return 'its entries arrived out of order';
      const lost = definition.factsOf(state).find(({ id }) => !factIds.has(id));
      if (lost !== undefined) return `the records lack its fact ${lost.id}`;
      return isDeepStrictEqual(row?.view, overJson(definition.viewOf(state)))
        ? undefined
        : 'its row differs from its view';
    },
  };
}
