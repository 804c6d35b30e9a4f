// One run of a batch's rows, at most two hundred: begun when the batch says so, a few at a time, and followed until each has its answer.
import { continueOnCurrentRelease, runEntity } from '../entity/engine/temporal.js';
import { carry, restoreState } from '../entity/engine/upgrade.js';
import { messages } from './contract.js';
import { HANDLERS } from './handlers.js';
import { newRows, viewOf } from './state.js';
import { ROWS } from './steps.js';
import type { RowsEnd, RowsInput } from './contract.js';

export async function rows({ carried, ...asked }: RowsInput): Promise<RowsEnd> {
  const { outcome, state } = await runEntity({
    definition: ROWS,
    messages,
    handlers: HANDLERS,
    begin: (now) => restoreState(carried, () => newRows(asked, now)),
  });
  if (outcome === 'continue') {
    const { rows: _, ...named } = asked;
    return continueOnCurrentRelease<typeof rows>({ ...named, carried: carry(state) });
  }
  // What it was about is no longer needed, and would only weigh.
  return { ...viewOf(state), carried: carry({ ...state, rows: [], answers: [] }) };
}
