// The addresses of resources, as answers and webhooks link to them.
import type { ResourceType } from '../webhooks/webhook.schema.js';

const COLLECTION: Record<ResourceType, string> = {
  payto_agreement: 'agreements',
  payto_payment: 'payments',
  payto_refund: 'refunds',
};

export function resourceUrl(baseUrl: string, type: ResourceType, uid: string): string {
  return `${baseUrl}/payto/${COLLECTION[type]}/${uid}`;
}
