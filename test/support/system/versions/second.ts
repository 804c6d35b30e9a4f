// The workflow code of release 2.0.0, which carries more than 1.0.0 did.
import { counterOf } from './counter.js';

export const counter = counterOf('2.0.0', [(state) => ({ ...state, signals: 0 })]);
