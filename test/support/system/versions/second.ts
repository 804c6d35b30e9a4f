import { counterOf } from './counter.js';

export const counter = counterOf('2.0.0', [(state) => ({ ...state, signals: 0 })]);
