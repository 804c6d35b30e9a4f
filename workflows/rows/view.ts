// How the rows of a run look to operators in Temporal's UI.
import { countsInWords, countsOf } from '../../domain/batch/rows.js';
import { published as publishedBy } from '../entity/engine/publish.js';
import type { Published } from '../entity/engine/publish.js';
import type { State } from './state.js';

export const published = (state: State): Published => {
  const { batch, kind, first, rows, answers, awaiting, connectionId, course } = state;
  return publishedBy({
    title: `Rows ${first} to ${first + rows.length - 1} of the batch ${batch}`,
    awaiting,
    attention: [],
    connectionId,
    own: [],
    notes: [
      `${kind}${state.isDryRun === true ? ', judged only' : ''}`,
      countsInWords(countsOf(answers)),
      `the batch is ${course ?? 'not there yet'}`,
      `each row: GET /v1/batches/${batch}/rows`,
    ],
  });
};
