// Translates an event of the provider, from a webhook or from history, into a fact. Pure; it never throws.
import { createHash } from 'node:crypto';
import { instantFrom, isObject, boundedJson, boundedObject, boundedText } from './values.js';
import { reasonFrom } from './snapshot.js';
import { placeAt, type Fact, type FactSource, type Instant, type Json } from '../../domain/facts/fact.js';

/** How and when an event was received. */
export interface Reception {
  receivedAt: Instant;
  authenticated: boolean;
}

/** Two names of the same event (docs/provider.md#events, #differences). */
const SAME_EVENT: ReadonlyMap<string, string> = new Map([['amended_recalled', 'amendment_recalled']]);

/** Longer than any real id or type. A longer value would burden every workflow, so it does not count as an id. */
const MAX_IDENTIFIER = 100;

/** An id or a type as written by the provider; undefined if absent, empty or too long. */
export function identifierOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= MAX_IDENTIFIER ? value : undefined;
}

/** An id for events without one. Equal bytes produce equal ids, so duplicates are still recognised. */
export function derivedId(bytes: Uint8Array | string): string {
  return `sha256-${createHash('sha256').update(bytes).digest('hex')}`;
}

/**
 * The event type without its resource's prefix. Types of other resources are unchanged.
 * @param resourceType `payto_agreement` or `payto_payment` (docs/provider.md#events).
 */
export function factTypeOf(type: string, resourceType: string): string {
  const prefix = `${resourceType}.`;
  const bare = type.startsWith(prefix) && type.length > prefix.length ? type.slice(prefix.length) : type;
  return SAME_EVENT.get(bare) ?? bare;
}

/** The parts of an event that we interpret; all else is stored as received. */
interface EventParts {
  published_at?: unknown;
  body?: unknown;
  resource_metadata?: unknown;
}

/** The fact in an event, with an id and a type determined by the caller. */
export function factFrom(
  event: EventParts,
  { id, type, source, reception }: { id: string; type: string; source: FactSource; reception: Reception },
): Fact {
  const { causedBy, reason, rest } = bodyParts(event.body);
  const detail = Object.assign(extrasOf(event), rest, metadataPart(event.resource_metadata));
  return {
    id,
    type,
    ...placeAt(instantFrom(event.published_at) ?? reception.receivedAt, reception.receivedAt),
    receivedAt: reception.receivedAt,
    source,
    authenticated: reception.authenticated,
    causedBy,
    reason,
    detail: Object.keys(detail).length > 0 ? detail : undefined,
  };
}

/** One entry of an agreement's history (docs/provider.md#history); undefined if it is not an object. */
export function historyFact(entry: unknown, reception: Reception): Fact | undefined {
  if (!isObject(entry)) return undefined;
  const id = identifierOf(entry['id']) ?? derivedId(JSON.stringify(boundedJson(entry)));
  const type = factTypeOf(identifierOf(entry['type']) ?? 'unknown', 'payto_agreement');
  return factFrom(entry, { id, type, source: 'history', reception });
}

interface BodyParts {
  causedBy: string | undefined;
  reason: Fact['reason'];
  rest: { [key: string]: Json };
}

function bodyParts(body: unknown): BodyParts {
  if (!isObject(body)) {
    const rest = body === undefined || body === null ? {} : { body: boundedJson(body) };
    return { causedBy: undefined, reason: undefined, rest };
  }
  const causedBy = typeof body['caused_by'] === 'string' ? boundedText(body['caused_by']) : undefined;
  const reason = reasonFrom(body['reason']);
  const failure = reasonFrom(body['failure']); // Failures have their reason under this name (docs/provider.md#events).
  // An unreadable cause or reason stays in the detail, so that nothing is lost.
  const placed = new Set<string>();
  if (causedBy !== undefined || body['caused_by'] === null) placed.add('caused_by');
  if (isWhole(body['reason'], reason)) placed.add('reason');
  return { causedBy, reason: reason ?? failure, rest: boundedObject(body, 0, placed) };
}

const REASON_KEYS: ReadonlySet<string> = new Set(['code', 'title', 'detail', 'narrative']);

/** True if the fact's reason is complete, so that the detail need not repeat it. */
function isWhole(given: unknown, reason: Fact['reason']): boolean {
  if (!isObject(given)) return typeof given === 'string' || given === null;
  const isStored = (key: string): boolean =>
    REASON_KEYS.has(key) && (typeof given[key] === 'string' || given[key] === null);
  return reason !== undefined && Object.keys(given).every(isStored);
}

/** The fields with a place in the fact, and the link, which is never followed. */
const PLACED: ReadonlySet<string> = new Set([
  'id',
  'type',
  'resource_type',
  'resource_uid',
  'published_at',
  'body',
  'resource_metadata',
  'links',
]);

const extrasOf = (event: EventParts): { [key: string]: Json } => boundedObject({ ...event }, 0, PLACED);

function metadataPart(metadata: unknown): { [key: string]: Json } {
  return metadata === undefined || metadata === null ? {} : { resource_metadata: boundedJson(metadata) };
}

/** The names in the provider's log of deliveries. */
const NAME_OF_DIRECTION: ReadonlyMap<unknown, string> = new Map([
  ['incoming', 'investigations.message_received'],
  ['outgoing', 'investigations.message_sent'],
]);

/** True for an event or a message of an investigation: a bare JSON:API resource that contains no event name (docs/provider.md#events). */
export const isInvestigation = ({ type }: Record<string, unknown>): boolean =>
  type === 'events' || type === 'messages';

/** The event name for a pushed resource; undefined for other resources, and for messages without a known direction. */
export function investigationType(data: Record<string, unknown>): string | undefined {
  if (data['type'] === 'events') return 'investigations.action_requested';
  const { attributes } = data;
  if (data['type'] !== 'messages' || !isObject(attributes)) return undefined;
  return NAME_OF_DIRECTION.get(attributes['direction']);
}

/** The time of an investigation event. Messages contain none. */
export function momentOf({ type, attributes }: Record<string, unknown>): unknown {
  return type === 'events' && isObject(attributes) ? attributes['at'] : undefined;
}
