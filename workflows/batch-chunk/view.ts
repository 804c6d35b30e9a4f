// The rows of a chunk for the API, and its page in Temporal's UI.
import { countsInWords, countsOf, type RowView } from '../../domain/batch/rows.js';
import { published as publishedBy, type Published } from '../engine/publish.js';
import type { ChunkState } from './state.js';

export const viewOf = ({ first, rows, answers }: ChunkState): RowView[] =>
  rows.map((row, place) => ({
    ...{ index: first + place, uid: row.uid, answer: answers[place] ?? null },
    ...('amount' in row && { amount: row.amount }),
    ...('resource' in row && { resource: row.resource }),
  }));

export const published = (state: ChunkState): Published =>
  publishedBy({
    ...{ title: titleOf(state), awaiting: state.awaiting, connectionId: state.connectionId },
    ...{ attention: [], own: [] },
    notes: [
      `${state.kind}${state.isDryRun ? ', judged only' : ''}`,
      countsInWords(countsOf(state.answers)),
      `the batch is ${state.course}`,
      `each row: GET /v1/batches/${state.batch}/rows`,
    ],
  });

const titleOf = ({ first, rows, batch }: ChunkState): string =>
  `Rows ${first} to ${first + rows.length - 1} of the batch ${batch}`;
