// What a fault does to a webhook on its way: each action is one line of a table.
import type { WebhookAction } from '../faults/actions.schema.js';
import type { Fault } from '../faults/fault.schema.js';
import { note, type DeliveryOffice, type Message } from './delivery.js';
import { forged, ofUnknownType } from './false-events.js';
import type { Delivery } from './webhook.schema.js';

type Spoiler = (office: DeliveryOffice, delivery: Delivery, fault: Fault) => void;

/** The real one goes untouched; what the fault brings about is sent right behind it. */
const BESIDE = { forge: forged, unknown_type: ofUnknownType } as const;

const SPOILERS: Record<Exclude<WebhookAction, keyof typeof BESIDE>, Spoiler> = {
  lose(office, delivery) {
    delivery.state = 'lost';
    note(office, delivery, 'lost');
  },
  delay: hold,
  repeat(_, delivery, { copies = 1 }) {
    delivery.copies = 1 + copies;
  },
  reorder(_, delivery) {
    delivery.state = 'held';
  },
  batch(office, delivery, fault) {
    delivery.room = (fault.size ?? 2) - 1;
    // Where too few events follow, it leaves by then with those that have.
    hold(office, delivery, fault);
  },
  // The sender signs it with another secret.
  bad_signature: () => undefined,
  stale_timestamp(_, delivery, { age_seconds = 0 }) {
    delivery.age_seconds = age_seconds;
  },
};

function hold({ scheduler, clock }: DeliveryOffice, delivery: Delivery, { delay_seconds = 0 }: Fault): void {
  delivery.state = 'held';
  scheduler.add('send_webhook', delivery.id, clock.now() + delay_seconds * 1000);
}

/** What the fault sends besides, or undefined where it is the real one that it meets. */
export function besides({ clock }: DeliveryOffice, message: Message, fault: Fault): Message | undefined {
  return isOf(BESIDE, fault.do) ? BESIDE[fault.do](message, clock.now()) : undefined;
}

export function spoil(office: DeliveryOffice, delivery: Delivery, fault: Fault): void {
  if (!isOf(SPOILERS, fault.do)) return;
  delivery.fault = fault.do;
  SPOILERS[fault.do](office, delivery, fault);
}

function isOf<Table extends object>(table: Table, key: PropertyKey): key is keyof Table {
  return Object.hasOwn(table, key);
}
