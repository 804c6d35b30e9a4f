// What may be sent to a batch, and what it changes.
import { updateState } from '../entity/engine/handlers.js';
import { assertSteerable, withReceived, withReport, withWord } from './state.js';
import { viewOf } from './view.js';
import type { Handlers } from '../entity/engine/handlers.js';
import type { messages } from './contract.js';
import type { State } from './state.js';

export const HANDLERS: Handlers<State, typeof messages> = {
  rowsReceived: updateState(withReceived),
  rowsReport: updateState(withReport),
  steerBatch: { validate: assertSteerable, ...updateState(withWord) },
  getBatch: { read: viewOf },
};
