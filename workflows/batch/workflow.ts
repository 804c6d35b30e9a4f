// One per batch: it has its runs of rows begin one after the other, and knows how far they have come.
import { raise } from '../../domain/attention/flags.js';
import { continueOnCurrentRelease, runEntity } from '../entity/engine/temporal.js';
import { carry, restoreState } from '../entity/engine/upgrade.js';
import { messages } from './contract.js';
import { HANDLERS } from './handlers.js';
import { newBatch } from './state.js';
import { BATCH } from './steps.js';
import { viewOf } from './view.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { BatchEnd, BatchInput } from './contract.js';
import type { State } from './state.js';

export async function batch({ carried, ...asked }: BatchInput): Promise<BatchEnd> {
  const { outcome, state } = await runEntity({
    definition: BATCH,
    messages,
    handlers: HANDLERS,
    begin: (now) => restoreState(carried, () => newBatch(asked, now)),
    cancelRequested,
  });
  if (outcome === 'continue')
    return continueOnCurrentRelease<typeof batch>({ ...asked, carried: carry(state) });
  return { ...viewOf(state), carried: carry(state) };
}

const cancelRequested = (state: State, since: Instant): State => ({
  ...state,
  attention: raise(state.attention, {
    code: 'cancel_requested',
    since,
    detail: 'A request to cancel was sent to Temporal. The batch goes on.',
    next: `To begin no more of its rows: POST /v1/batches/${state.id}/abandonment with a reason.`,
  }),
});
