// The checks on an alias or an account.
import type { Registration } from '../http/operation.js';

export const CHECK_ROUTES: readonly Registration[] = [];
