// Everything the provider offers on float accounts.
import type { Registration } from '../http/operation.js';

export const FLOAT_ROUTES: readonly Registration[] = [];
