// Events that nobody published: a forgery that claims the opposite, and a type that nobody knows.
import { eventId } from './event-id.js';
import type { Message } from './delivery.js';
import { envelopeOf } from './envelope.js';
import type { ResourceType } from './webhook.schema.js';

interface Claim {
  type: string;
  body: object | null;
}

/** For each kind of resource what is claimed of it; the second where the first is what has really happened. */
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

/** About the same resource, in the same envelope, under an id of its own. */
export function forged(message: Message, nowMs: number): Message {
  const envelope = envelopeOf(message.payload);
  if (envelope === undefined) return claiming(message, nowMs, { type: message.event_type });
  const claims = CLAIMS[envelope.data.resource_type];
  const claim = claims.find(({ type }) => type !== envelope.data.type) ?? claims[0];
  return claiming(message, nowMs, claim);
}

/** What the provider may bring in unannounced (facts 1). */
export function ofUnknownType(message: Message, nowMs: number): Message {
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
