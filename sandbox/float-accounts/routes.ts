// Everything the provider offers on float accounts.
import { registerGetFloatAccount } from './get-float-account.js';
import { registerListFloatEntries } from './list-float-entries.js';
import { registerGetFloatEntry } from './get-float-entry.js';
import { registerReceiveCredit } from './receive-credit.js';
import type { Registration } from '../http/operation.js';

export const FLOAT_ROUTES: readonly Registration[] = [
  registerGetFloatAccount,
  registerListFloatEntries,
  registerGetFloatEntry,
  registerReceiveCredit,
];
