// How an event looks on the wire: in a history, and in a webhook.
import { resourceUrl } from '../http/links.js';
import { sydneyTimestamp } from '../time/sydney.js';
import type { PublishedEvent } from './webhook.schema.js';

/** A history entry gives the instant in UTC; the webhook of the same event gives it in Sydney's time. */
export function formatHistoryEntry(event: PublishedEvent) {
  return {
    id: event.id,
    resource_uid: event.resource_uid,
    published_at: event.published_at,
    resource_type: event.resource_type,
    body: event.body,
    type: event.type,
  };
}

export function formatWebhook(event: PublishedEvent, baseUrl: string) {
  return {
    data: {
      ...formatHistoryEntry(event),
      published_at: sydneyTimestamp(Date.parse(event.published_at)),
      ...(event.metadata === null ? {} : { resource_metadata: event.metadata }),
    },
    links: { resource: resourceUrl(baseUrl, event.resource_type, event.resource_uid) },
  };
}
