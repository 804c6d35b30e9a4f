// What the provider offers on webhooks and their deliveries.
import type { Registration } from '../http/operation.js';

export const WEBHOOK_ROUTES: readonly Registration[] = [];
