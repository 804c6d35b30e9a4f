// Verifies and reads webhooks. Pure over the raw bytes: no clock, no I/O. It never follows URLs in a body.
import { Buffer } from 'node:buffer';
import { bearerVerifier, hmacVerifier, standardVerifier, type Scheme, type Verify } from './signature.js';
import {
  derivedId,
  factFrom,
  factTypeOf,
  identifierOf,
  investigationType,
  isInvestigation,
  momentOf,
  type Reception,
} from './answers/event.js';
import { isObject, boundedObject, readJson } from './answers/values.js';
import { creditIn } from '../domain/float/credit.js';
import { isUid } from '../domain/provider/uid.js';
import { EVENT_RESOURCES, RESOURCES, type EventResource, type Notification } from '../domain/resources.js';
import { WireEvent } from './answers/wire.schema.js';

export type { Notification } from '../domain/resources.js';
export type { Header, Unproven, Verdict, Verify } from './signature.js';

export const VERIFIERS = ['hmac', 'standard', 'bearer'] as const;

export interface VerifierOptions extends Scheme {
  verifier: (typeof VERIFIERS)[number];
}

const VERIFIER_OF: Record<VerifierOptions['verifier'], (scheme: Scheme) => Verify> = {
  hmac: hmacVerifier,
  standard: standardVerifier,
  bearer: bearerVerifier,
};

/**
 * Creates the verifier for all pushed messages (docs/provider.md#webhooks-signature). Every secret is accepted, so that secrets can rotate.
 * @param options `signatureHeader` applies only to `hmac`. `toleranceSeconds` applies to past and future; no body outside it is authenticated.
 * @throws TypeError if there is no secret, an empty one, or an unusable one.
 */
export function createVerifier(options: VerifierOptions): Verify {
  if (options.secrets.length === 0 || options.secrets.some((secret) => secret.trim() === '')) {
    throw new TypeError('expected at least one webhook secret, and none empty');
  }
  return VERIFIER_OF[options.verifier](options);
}

export class NotAnEnvelope extends Error {
  override readonly name = 'NotAnEnvelope';
  readonly code = 'not_an_envelope';

  constructor(readonly reason: string) {
    super(`expected a webhook envelope; received ${reason}`);
  }
}

/** An event, and the sibling `event` of unmatched credits (docs/provider.md#unmatched-credits). */
interface Delivered {
  data: Record<string, unknown>;
  event: unknown;
}

const RESOURCE_OF = new Map<string, EventResource>(
  EVENT_RESOURCES.map((resource) => [RESOURCES[resource].provider.webhook, resource]),
);

/** The provider sends one event in each webhook (docs/provider.md#webhooks-envelope). Each event opens or reaches a workflow. */
const MOST_EVENTS = 500;

/**
 * The events in a webhook body (docs/provider.md#webhooks-envelope, #unmatched-credits, #events). Unknown events become `other`, never an error.
 * Those beyond the first 500, and all that name no resource, become one notification for an operator.
 * @param reception `receivedAt`: a UTC instant; `authenticated`: true only if the verdict authenticated the body.
 * @throws NotAnEnvelope unless it is a JSON object with `data` (an object or a list), an investigation resource, or a list of these.
 */
export function readNotifications(rawBody: Uint8Array, reception: Reception): Notification[] {
  const json = readJson(rawBody);
  if (json === undefined) throw new NotAnEnvelope('something that is not JSON in UTF-8');
  const delivered = deliveredIn(json.value);
  const bodyId = derivedId(rawBody);
  // The hash of the bytes replaces a missing id; in a list the index distinguishes the entries.
  const read = delivered.map((one, index) => {
    const id = index > 0 ? `${bodyId}-${index}` : bodyId;
    return { one, id, notification: notificationFrom(one, reception, id) };
  });
  const nameless = new Map<unknown, ReadEntry[]>();
  for (const entry of read.filter(isNameless)) {
    const ofEvent = nameless.get(entry.one.event) ?? [];
    ofEvent.push(entry);
    nameless.set(entry.one.event, ofEvent);
  }
  const events = [
    ...read.filter((entry) => !isNameless(entry)).map((entry) => [entry]),
    ...nameless.values(),
  ];
  const rest = events.slice(MOST_EVENTS).flat();
  return [
    ...events.slice(0, MOST_EVENTS).map((entries) => together(entries, reception)),
    ...(rest.length === 0 ? [] : [unopened(rest, `${bodyId}-others`, reception)]),
  ];
}

interface ReadEntry {
  one: Delivered;
  /** Replaces a missing id. */
  id: string;
  notification: Notification;
}

/** Nothing in it tells a resource, a credit or an investigation. One body may have thousands of these. */
const isNameless = ({ one: { data }, notification: { resource, uid, fact } }: ReadEntry): boolean =>
  resource === 'other' && uid === undefined && creditIn(fact) === undefined && !isInvestigation(data);

/** One notification with all entries of one event that name no resource, so that an operator reads them at once. */
function together(entries: readonly ReadEntry[], reception: Reception): Notification {
  const [first, ...others] = entries;
  if (first !== undefined && others.length === 0) return first.notification;
  const data = { entries: entries.map(({ one }) => one.data) };
  return notificationFrom({ data, event: first?.one.event }, reception, first?.id ?? '');
}

/** One notification with all events that are too many to open a workflow each. */
function unopened(entries: readonly ReadEntry[], id: string, reception: Reception): Notification {
  const body = {
    entries: entries.map(({ one: { data, event } }) => (event === undefined ? data : { data, event })),
  };
  return {
    ...{ resource: 'other', resourceType: 'unknown' },
    fact: factFrom({ body }, { id, type: 'unknown', source: 'webhook', reception }),
  };
}

/**
 * The events in a payload from the provider's log of deliveries (docs/provider.md#webhooks-deliveries), as JSON or text.
 * @throws NotAnEnvelope as `readNotifications`.
 */
export const notificationsIn = (payload: unknown, reception: Reception): Notification[] =>
  readNotifications(
    Buffer.from(typeof payload === 'string' ? payload : (JSON.stringify(payload) ?? '')),
    reception,
  );

/** A delivery of that log whose payload is not readable, or could not be fetched. It has the delivery's id. */
export const unreadableDelivery = (id: string, payload: unknown, reception: Reception): Notification => ({
  ...{ resource: 'other', resourceType: 'webhook_delivery' },
  fact: factFrom(
    { body: { payload } },
    { id, type: 'webhook_delivery.unreadable', source: 'webhook', reception },
  ),
});

function deliveredIn(value: unknown): Delivered[] {
  if (Array.isArray(value)) return objectsIn(value).flatMap(deliveredInEnvelope);
  if (isObject(value)) return deliveredInEnvelope(value);
  throw new NotAnEnvelope('something that is neither an object nor a list');
}

function deliveredInEnvelope(envelope: Record<string, unknown>): Delivered[] {
  const { data, event } = envelope;
  if (isObject(data)) return [{ data, event }];
  if (Array.isArray(data)) return objectsIn(data).map((item) => deliveredItem(item, event));
  if (data === undefined && isInvestigation(envelope)) return [{ data: envelope, event }];
  throw new NotAnEnvelope('an object whose data is neither an object nor a list');
}

/** A list item is an event, or itself an envelope. */
function deliveredItem(item: Record<string, unknown>, event: unknown): Delivered {
  return isObject(item['data']) && item['id'] === undefined
    ? { data: item['data'], event: item['event'] ?? event }
    : { data: item, event };
}

/** Skips items that are not objects, so that the other events are not lost. Refuses a list without any object. */
function objectsIn(list: readonly unknown[]): Record<string, unknown>[] {
  const objects = list.filter(isObject);
  if (objects.length === 0 && list.length > 0) throw new NotAnEnvelope('a list without an object in it');
  return objects;
}

function notificationFrom({ data, event }: Delivered, reception: Reception, idOfBytes: string): Notification {
  const wire = WireEvent.parse(data); // Never fails on an object: every field is tolerant.
  const id = identifierOf(wire.id);
  const type = investigationType(data) ?? identifierOf(wire.type);
  const resourceType =
    identifierOf(wire.resource_type) ?? (type ?? typeOf(event))?.split('.')[0] ?? 'unknown';
  const resource = RESOURCE_OF.get(resourceType);
  const uid = isUid(wire.resource_uid) ? wire.resource_uid : undefined;
  if (resource !== undefined && id !== undefined && type !== undefined && uid !== undefined) {
    const about = { id, type: factTypeOf(type, resourceType), source: 'webhook', reception } as const;
    return { resource, resourceType, uid, fact: factFrom(wire, about) };
  }
  const about = {
    id: id ?? idOfBytes,
    type: typeOf(event) ?? type ?? 'unknown',
    source: 'webhook',
    reception,
  } as const;
  const fact = factFrom(otherEvent(data, wire, event), about);
  return { resource: 'other', resourceType, ...(uid === undefined ? {} : { uid }), fact };
}

function typeOf(event: unknown): string | undefined {
  return isObject(event) && typeof event['type'] === 'string' ? identifierOf(event['type']) : undefined;
}

/** An event that is not shaped like a PayTo event has no `body`; all its data is stored as the body. */
function otherEvent(
  data: Record<string, unknown>,
  wire: WireEvent,
  event: unknown,
): Parameters<typeof factFrom>[0] {
  const at: unknown = isObject(event) ? event['at'] : momentOf(data);
  const everything = { ...boundedObject(data), ...(isObject(event) ? { event: boundedObject(event) } : {}) };
  const body: unknown = 'body' in data ? wire.body : everything;
  return { published_at: wire.published_at ?? at, body, resource_metadata: wire.resource_metadata };
}
