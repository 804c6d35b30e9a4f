// Applies faults to webhooks, and creates false events.
import type { WebhookAction } from '../faults/actions.schema.js';
import type { Fault } from '../faults/rule.schema.js';
import type { ResourceType, Delivery } from '../store/webhook.schema.js';
import { type Message, note, type DeliveryOffice } from './delivery.js';
import { eventId, envelopeOf } from './envelope.js';

// False events: a forgery that claims the opposite, and an event of an unknown type.
interface Claim {
  type: string;
  body: object | null;
}

/** The false claims for each type of resource. The second is used if the first is what really happened. */
const CLAIMS: Record<ResourceType, readonly [Claim, Claim]> = {
  payto_agreement: [
    { type: 'payto_agreement.cancelled', body: { caused_by: 'debtor' } },
    { type: 'payto_agreement.activated', body: null },
  ],
  payto_payment: [
    { type: 'payto_payment.settled', body: null },
    {
      type: 'payto_payment.failed',
      body: { failure: { code: 'AC05', title: 'Closed account', detail: 'Forged.', retryable: false } },
    },
  ],
  payto_refund: [
    { type: 'payto_refund.processed', body: null },
    { type: 'payto_refund.failed', body: null },
  ],
};

/** An event about the same resource in the same envelope, with a new id. */
function forged(message: Message, nowMs: number): Message {
  const envelope = envelopeOf(message.payload);
  if (envelope === undefined) return claiming(message, nowMs, { type: message.event_type });
  const claims = CLAIMS[envelope.data.resource_type];
  const claim = claims.find(({ type }) => type !== envelope.data.type) ?? claims[0];
  return claiming(message, nowMs, claim);
}

/** An event type that the provider may add without notice (docs/provider.md#conventions). */
function ofUnknownType(message: Message, nowMs: number): Message {
  const family = message.event_type.split('.').slice(0, -1).join('.');
  return claiming(message, nowMs, { type: `${family}.levitated` });
}

function claiming(message: Message, nowMs: number, claim: Partial<Claim> & { type: string }): Message {
  const event_id = eventId(nowMs, 0);
  return {
    ...message,
    event_id,
    event_type: claim.type,
    payload: restated(message.payload, event_id, claim),
  };
}

function restated(
  payload: object,
  id: string,
  { type, ...claim }: Partial<Claim> & { type: string },
): object {
  const envelope = envelopeOf(payload);
  if (envelope !== undefined) return { ...envelope, data: { ...envelope.data, id, type, ...claim } };
  return Object.fromEntries(
    Object.entries(payload).map(([name, value]: [string, unknown]) => {
      if (name === 'data' && isObject(value)) return [name, { ...value, id }];
      return [name, name === 'event' && isObject(value) ? { ...value, type } : value];
    }),
  );
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

// The effect of each fault on a webhook, as a table.
type Spoiler = (office: DeliveryOffice, delivery: Delivery, fault: Fault) => void;

/** These faults leave the real webhook unchanged and send an additional one right after it. */
const BESIDE = { forge: forged, unknown_type: ofUnknownType } as const;

const SPOILERS: Record<Exclude<WebhookAction, keyof typeof BESIDE>, Spoiler> = {
  lose(office, delivery) {
    delivery.state = 'lost';
    note(office, delivery, 'lost');
  },
  delay: withhold,
  repeat(_, delivery, { copies = 1 }) {
    delivery.copies = 1 + copies;
  },
  reorder(_, delivery) {
    delivery.state = 'withheld';
  },
  batch(office, delivery, fault) {
    delivery.room = (fault.size ?? 2) - 1;
    // If too few events follow, it is sent after the delay with those that did.
    withhold(office, delivery, fault);
  },
  // The sender uses a wrong secret.
  bad_signature: () => undefined,
  stale_timestamp(_, delivery, { age_seconds = 0 }) {
    delivery.age_seconds = age_seconds;
  },
};

function withhold(
  { scheduler, clock }: DeliveryOffice,
  delivery: Delivery,
  { delay_seconds = 0 }: Fault,
): void {
  delivery.state = 'withheld';
  scheduler.add('send_webhook', delivery.id, clock.now() + delay_seconds * 1000);
}

/** The additional message of the fault. Undefined if the fault changes the real one. */
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
