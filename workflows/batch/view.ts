// How a batch looks to operators in Temporal's UI.
import { countsInWords } from '../../domain/batch.js';
import { askedFor, published as publishedBy, readable } from '../entity/publish.js';
import { viewOf } from './state.js';
import type { Published } from '../entity/publish.js';
import type { BatchWordTaken } from './contract.js';
import type { State } from './state.js';

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
      askedFor(view.requestedAt, view.requestedBy),
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
