import { counterOf } from './counter.js';

export const counter = counterOf('1.0.0', []);
