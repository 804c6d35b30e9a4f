// What may be sent to a batch, and what it changes.
import { changing } from '../entity/engine/handlers.js';
import { assertSteerable, withReceived, withReport, withWord } from './state.js';
import { viewOf } from './view.js';
import type { Handlers } from '../entity/engine/handlers.js';
import type { messages } from './contract.js';
import type { State } from './state.js';

export const HANDLERS: Handlers<State, typeof messages> = {
  rowsReceived: changing(withReceived),
  rowsReport: changing(withReport),
  steerBatch: { assert: assertSteerable, ...changing(withWord) },
  getBatch: { read: viewOf },
};
