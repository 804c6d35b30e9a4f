// The record of one webhook, and the effect of each attempt. Any response completes a delivery, even a 500. Without a response it is
// retried every 5 minutes for an hour.
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Delivery } from '../store/webhook.schema.js';
import type { Clock } from '../time/clock.js';
import type { Ledger } from '../time/ledger.js';
import type { Scheduler } from '../time/scheduler.js';

// The documented states of a delivery. Each covers one or more internal states.
export const PublicState = z.enum(['pending', 'completed', 'retrying', 'failed']);
export type PublicState = z.output<typeof PublicState>;

/** docs/provider.md#webhooks-deliveries. A lost delivery had no answer and is not retried. */
const PUBLIC_STATE: Record<Delivery['state'], PublicState> = {
  queued: 'pending',
  withheld: 'pending',
  retrying: 'retrying',
  completed: 'completed',
  failed: 'failed',
  lost: 'failed',
};

export const publicState = ({ state }: Delivery): PublicState => PUBLIC_STATE[state];

/** True while the delivery is pending or retrying. */
export const isUnderWay = (delivery: Delivery): boolean =>
  ['pending', 'retrying'].includes(publicState(delivery));

/** The provider does not list forged deliveries, because it did not send them. */
export const isListed = ({ fault }: Delivery): boolean => fault !== 'forge';

/** How long the provider lists a delivery (docs/provider.md#webhooks-deliveries). */
export const KEPT_MS = 7 * 24 * 60 * 60_000;

const RETRY_EVERY_MS = 5 * 60_000;
const RETRY_FOR_MS = 60 * 60_000;
/** A tolerance, so that slow attempts do not reduce the number of attempts within the hour. */
const ATTEMPTS_TAKE_MS = 60_000;

export interface DeliveryOffice {
  clock: Clock;
  ledger: Ledger;
  scheduler: Scheduler;
}

/** A message to deliver. It need not belong to an agreement. */
export interface Message {
  event_id: string;
  event_type: string;
  resource_uid: string;
  lane: string;
  payload: object;
}

export function newDelivery({ payload, ...message }: Message, createdAt: string): Delivery {
  return {
    ...message,
    id: randomUUID(),
    request_id: randomUUID(),
    payload: JSON.stringify(payload),
    state: 'queued',
    fault: null,
    joined: [],
    room: 0,
    copies: 1,
    age_seconds: 0,
    attempts: 0,
    response_status_code: null,
    first_attempt_at: null,
    created_at: createdAt,
  };
}

/** Records an attempt and its status; null means no response. */
export function recordAttempt(office: DeliveryOffice, delivery: Delivery, status: number | null): void {
  delivery.attempts += 1;
  delivery.copies -= 1;
  delivery.response_status_code = status ?? delivery.response_status_code;
  note(office, delivery, status);
  if (delivery.copies > 0) return;
  if (delivery.response_status_code === null) tryAgainLater(office, delivery);
  else delivery.state = 'completed';
}

function tryAgainLater({ clock, scheduler }: DeliveryOffice, delivery: Delivery): void {
  const next = clock.now() + RETRY_EVERY_MS;
  if (isLastAttempt(delivery, next)) {
    delivery.state = 'failed';
    return;
  }
  delivery.state = 'retrying';
  delivery.copies = 1;
  scheduler.add('send_webhook', delivery.id, next);
}

/** Forged and wrongly signed deliveries are never retried. */
function isLastAttempt({ fault, first_attempt_at: first }: Delivery, nextMs: number): boolean {
  return (
    fault === 'forge' ||
    fault === 'bad_signature' ||
    nextMs - (first ?? nextMs) > RETRY_FOR_MS + ATTEMPTS_TAKE_MS
  );
}

/** Appends one entry for each event in the body. */
export function note({ ledger }: DeliveryOffice, delivery: Delivery, status: number | null | 'lost'): void {
  const { event_id, event_type, resource_uid, joined } = delivery;
  for (const event of [{ event_id, event_type, resource_uid }, ...joined]) {
    ledger.append({
      kind: 'webhook',
      delivery_id: delivery.id,
      ...event,
      attempt: delivery.attempts,
      status,
      fault: delivery.fault,
    });
  }
}
