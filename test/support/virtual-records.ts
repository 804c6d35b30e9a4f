import { isDeepStrictEqual } from 'node:util';
import { overJson } from './virtual-runs.js';
import type { RecordBatch, RecordOutcome } from '../../domain/records/batch.js';
import type { RememberedRow } from '../../domain/records/remembered.js';
import type { RecordDefinition } from '../../workflows/engine/recording.js';
import type { Answers } from './virtual-runtime.js';

const AWAY_MS = 60_000;

export interface VirtualRecords<State> {
  send: (batch: RecordBatch) => void;
  answers: Pick<Answers, 'record'>;
  faultIn(state: State): string | undefined;
  hasFact: (id: string) => boolean;
  /** The row as a new run reads it. What its last run has left counts only if the newest batch has it. */
  remembered: () => RememberedRow | undefined;
}

export function createVirtualRecords<State>(
  definition: RecordDefinition<State>,
  isAway: (call: number) => boolean,
  onAway: (stored: number) => void,
): VirtualRecords<State> {
  const sequences: number[] = [];
  const factIds = new Set<string>();
  let written: RecordBatch | undefined;
  let calls = 0;
  const write = (batch: RecordBatch): RecordOutcome => {
    const newest = written?.row.version ?? 0;
    if (batch.follows !== newest) return { newest };
    for (const { sequence, factId } of batch.entries) {
      if (factId !== undefined && factIds.has(factId)) continue;
      if (!sequences.includes(sequence)) sequences.push(sequence);
      if (factId !== undefined) factIds.add(factId);
    }
    written = batch;
    return { newest: batch.row.version };
  };
  return {
    send: (batch) => {
      if (isAway((calls += 1))) return onAway(batch.follows);
      const { newest = 0 } = write(batch) as { newest?: number };
      if (newest !== batch.row.version) onAway(newest);
    },
    answers: {
      record: (batch) => (done) => {
        if (isAway((calls += 1))) return done({ again: 'unavailable', afterMs: () => AWAY_MS });
        done({ ok: write(batch) });
      },
    },
    hasFact: (id) => factIds.has(id),
    remembered: () => {
      if (written === undefined) return undefined;
      const {
        identity,
        connectionId,
        row: { version, view },
        carried,
      } = overJson(written);
      const { state } = view as { state: string };
      return { is: 'row', version, identity, connectionId, state, view, carried };
    },
    faultIn: (state) => {
      if (sequences.some((one, index) => one <= (sequences[index - 1] ?? 0)))
        return 'its entries arrived out of order';
      const lost = definition.factsOf(state).find(({ id }) => !factIds.has(id));
      if (lost !== undefined) return `the records lack its fact ${lost.id}`;
      return isDeepStrictEqual(overJson(written?.row.view), overJson(definition.viewOf(state)))
        ? undefined
        : 'its row differs from its view';
    },
  };
}
