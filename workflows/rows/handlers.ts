// What may be sent to the rows of a run, and what it changes.
import { updateState } from '../entity/engine/handlers.js';
import { viewOf, withCourse } from './state.js';
import type { Handlers } from '../entity/engine/handlers.js';
import type { messages } from './contract.js';
import type { State } from './state.js';

export const HANDLERS: Handlers<State, typeof messages> = {
  rowsDirected: updateState(withCourse),
  getRows: { read: viewOf },
};
