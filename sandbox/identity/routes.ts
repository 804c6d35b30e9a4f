// Who calls.
import type { Registration } from '../http/operation.js';

export const IDENTITY_ROUTES: readonly Registration[] = [];
