// How a batch looks to operators in Temporal's UI.
import { countsInWords, sumOf } from '../../domain/batch/rows.js';
import { requestedInWords, published as publishedBy, readable } from '../entity/engine/publish.js';
import { isOver } from './state.js';
import type { Published } from '../entity/engine/publish.js';
import type { BatchWordTaken } from '../../domain/batch/rows.js';
import type { BatchState, BatchView } from './contract.js';
import type { State } from './state.js';

function stateOf(state: State): BatchState {
  if (state.isIncomplete === true) return 'incomplete';
  if (state.course === 'abandoned') return 'abandoned';
  if (isOver(state)) return 'done';
  if (state.isReceived !== true) return 'receiving';
  return state.course === 'paused' ? 'paused' : 'running';
}

export const viewOf = (state: State): BatchView => ({
  id: state.id,
  kind: state.kind,
  state: stateOf(state),
  connectionId: state.connectionId,
  isDryRun: state.isDryRun === true,
  digest: state.digest,
  requestedAt: state.requestedAt,
  requestedBy: state.requestedBy,
  runs: state.runs.map(({ first, size, counts }) => ({ first, size, counts })),
  counts: sumOf(state.runs.map(({ counts }) => counts)),
  words: state.words,
  awaiting: state.awaiting,
  attention: state.attention,
});

export function published(state: State): Published {
  const view = viewOf(state);
  const { id, kind, awaiting, attention, connectionId, isDryRun, counts, words, runs } = view;
  const rows = runs.reduce((sum, { size }) => sum + size, 0);
  return publishedBy({
    title: `Batch ${id} of ${rows} ${kind} is ${view.state}`,
    awaiting,
    attention,
    connectionId,
    own: [],
    notes: [
      requestedInWords(view.requestedAt, view.requestedBy),
      ...(view.state === 'receiving'
        ? ['its rows are being handed over; a repeat of the request completes what was cut short']
        : []),
      ...(isDryRun ? ['a dry run: rows are judged, and none is begun'] : []),
      countsInWords(counts),
      ...(state.course === 'paused' ? [`to go on: POST /v1/batches/${id}/resumption with a reason`] : []),
      ...[...words].reverse().map(wordInWords),
      `each row: GET /v1/batches/${id}/rows`,
    ],
  });
}

const wordInWords = ({ command, by, at, reason }: BatchWordTaken): string =>
  `${command}, ${readable(at)}, with the API key ${by}: ${reason}`;
