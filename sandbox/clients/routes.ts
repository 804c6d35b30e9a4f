// Everything the provider offers on clients and counterparties.
import type { Registration } from '../http/operation.js';

export const CLIENT_ROUTES: readonly Registration[] = [];
