// A batch for callers, and its page in Temporal's UI.
import { countsInWords, sumOf, type BatchSteered } from '../../domain/batch/rows.js';
import { requestedInWords, published as publishedBy, readable, type Published } from '../engine/publish.js';
import { isOver, newBatch, type BatchRequest, type BatchState } from './state.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { BATCH_STATES } from './contract.js';

export function stateOf(state: BatchState): (typeof BATCH_STATES)[number] {
  if (state.reception === 'incomplete') return 'incomplete';
  if (state.course === 'abandoned') return 'abandoned';
  if (isOver(state)) return 'done';
  if (state.reception === 'receiving') return 'receiving';
  return state.course === 'paused' ? 'paused' : 'running';
}

export function viewOf(state: BatchState) {
  const { reception: _, course: _course, version: _version, records: _records, ...shared } = state;
  const chunks = state.chunks.map(({ first, size, counts }) => ({ first, size, counts }));
  const counts = sumOf(chunks.map((chunk) => chunk.counts));
  const amounts = sumOf(state.chunks.flatMap((chunk) => chunk.amounts ?? []));
  return { ...shared, state: stateOf(state), chunks, counts, ...(state.repair && { amounts }) };
}

/** The view of a new batch. The API answers the request with it, before the workflow runs. */
export const firstView = (input: BatchRequest, now: Instant) => viewOf(newBatch(input, now));

export function published(state: BatchState): Published {
  const { state: name, counts, chunks, ...view } = viewOf(state);
  const { id, kind, commands } = view;
  const rows = chunks.reduce((sum, { size }) => sum + size, 0);
  const notes = [
    requestedInWords(view.requestedAt, view.requestedBy),
    name === 'receiving' && 'its rows are still arriving; if the request was interrupted, repeat it',
    view.isDryRun && 'a dry run: rows are judged but not started',
    countsInWords(counts),
    view.repair !== undefined && `reason: ${view.repair.reason}`,
    state.course === 'paused' && `to resume: POST /v1/batches/${id}/resumption with a reason`,
    ...[...commands].reverse().map(steeredInWords),
    `each row: GET /v1/batches/${id}/rows`,
  ].filter((note) => note !== false);
  return publishedBy({ ...view, title: `Batch ${id} of ${rows} ${kind} is ${name}`, own: [], notes });
}

const steeredInWords = ({ command, by, at, reason }: BatchSteered): string =>
  `${command}, ${readable(at)}, by ${by}: ${reason}`;
