// Copies the key into the records. A run that is cancelled before that has freed its key. A terminated one still binds it, but is never copied.
import { interruptibleCalls } from '../on-temporal/run.js';
import type { KeyInput } from './contract.js';

export const key = (request: KeyInput): Promise<void> => interruptibleCalls().copyKey(request);
