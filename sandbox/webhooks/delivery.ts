// The record of one webhook: how a fault spoils it, and what an attempt to send it means for it.
// Any response ends a delivery, 500s included; only silence is tried again, every 5 minutes for an hour.
import { randomUUID } from 'node:crypto';
import type { Clock } from '../time/clock.js';
import type { PublishedEvent } from './webhook.schema.js';
import type { Ledger } from '../ledger.js';
import type { Delivery } from './webhook.schema.js';
import type { Fault } from '../faults/fault.schema.js';
import type { Scheduler } from '../time/scheduler.js';

const RETRY_EVERY_MS = 5 * 60_000;
const RETRY_FOR_MS = 60 * 60_000;

export interface DeliveryOffice {
  clock: Clock;
  ledger: Ledger;
  scheduler: Scheduler;
}

export function newDelivery(event: PublishedEvent, payload: string, createdAt: string): Delivery {
  return {
    id: randomUUID(),
    request_id: randomUUID(),
    event_id: event.id,
    event_type: event.type,
    resource_uid: event.resource_uid,
    lane: event.lane,
    payload,
    state: 'queued',
    held_by: null,
    copies: 1,
    attempts: 0,
    response_status_code: null,
    first_attempt_at: null,
    created_at: createdAt,
  };
}

export function spoil(office: DeliveryOffice, delivery: Delivery, fault: Fault): void {
  if (fault.do === 'repeat') delivery.copies = 1 + fault.copies;
  if (fault.do === 'lose') {
    delivery.state = 'lost';
    note(office, delivery, 'lost');
  }
  if (fault.do === 'delay' || fault.do === 'reorder') {
    delivery.state = 'held';
    delivery.held_by = fault.do;
  }
  if (fault.do === 'delay') {
    office.scheduler.add('send_webhook', delivery.id, office.clock.now() + fault.delay_seconds * 1000);
  }
}

/** An attempt has ended: with a status, or with null for no response. */
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
  if (next - (delivery.first_attempt_at ?? next) > RETRY_FOR_MS) {
    delivery.state = 'failed';
    return;
  }
  delivery.state = 'retrying';
  delivery.copies = 1;
  scheduler.add('send_webhook', delivery.id, next);
}

function note({ ledger }: DeliveryOffice, delivery: Delivery, status: number | null | 'lost'): void {
  ledger.append({
    kind: 'webhook',
    delivery_id: delivery.id,
    event_id: delivery.event_id,
    event_type: delivery.event_type,
    resource_uid: delivery.resource_uid,
    attempt: delivery.attempts,
    status,
  });
}
