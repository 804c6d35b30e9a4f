// The page of an endpoint for webhooks in Temporal's UI.
import { published as publishedBy, readable, type Published } from '../engine/publish.js';
import type { DeliveryReport } from '../../activities/webhook/deliver.js';
import type { Instant } from '../../domain/facts/fact.js';

const IS: Readonly<Record<DeliveryReport['is'], string>> = {
  again: 'events are delivered as they are recorded',
  disabled: 'it is disabled, and its events wait until it is enabled: PATCH /v1/webhook-endpoints/{id}',
  unconfirmed:
    'no API process has confirmed its key, so its events wait: start the API, or create the endpoint again with another key',
  gone: 'it was deleted',
};

export function published(
  endpointId: string,
  { is, waiting, failingSince, attention }: DeliveryReport,
  since: Instant,
): Published {
  const notes = [
    IS[is],
    waiting > 0 &&
      `${waiting} resources wait for an event that the endpoint did not take; each is sent again`,
    failingSince !== undefined && `no event was delivered since ${readable(failingSince)}`,
    `each attempt is listed by GET /v1/webhook-endpoints/${endpointId}/deliveries`,
  ];
  return publishedBy({
    title: `Webhook endpoint ${endpointId}`,
    ...{ awaiting: { what: 'nothing', since }, attention, own: [] },
    notes: notes.filter((note) => note !== false),
  });
}
