// One event of the provider's, pushed or read from history, translated into a fact. Pure, and it never throws.
// In:  payments-api/webhook.ts and payments-api/client.ts hand over an entry (interface 2.1, 2.2: the same shape).
import { createHash } from 'node:crypto';
import { WireEvent } from './wire.schema.js';
import { instantFrom } from './instant.js';
import { isObject, keptJson, keptObject } from './json.js';
import { reasonFrom } from './snapshot.js';
import type { Fact, FactSource, Instant, Json } from '../domain/fact.js';

/** How and when we came by an event. */
export interface Seen {
  receivedAt: Instant;
  authenticated: boolean;
}

/** Two names for one event (facts 10, 17). */
const SAME_EVENT: ReadonlyMap<string, string> = new Map([['amended_recalled', 'amendment_recalled']]);

/** Longer than any id or type the provider writes; what is longer is no id, and would weigh on every workflow. */
const MAX_WORD = 200;

/** An id or a type as the provider writes them; nothing for what is absent, empty or overlong. */
export function wordOf(value: string | null | undefined): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= MAX_WORD ? value : undefined;
}

/** An id for what has none: the same bytes always get the same one, so repeats are still recognised. */
export function derivedId(bytes: Uint8Array | string): string {
  return `sha256-${createHash('sha256').update(bytes).digest('hex')}`;
}

/**
 * The event type without its resource's prefix; types of other resources stay as they came.
 * @param resourceType `payto_agreement` or `payto_payment` (interface 6).
 */
export function factTypeOf(type: string, resourceType: string): string {
  const prefix = `${resourceType}.`;
  const bare = type.startsWith(prefix) && type.length > prefix.length ? type.slice(prefix.length) : type;
  return SAME_EVENT.get(bare) ?? bare;
}

/** What an event tells; whatever else stands in it is kept as it came. */
type Told = Pick<WireEvent, 'published_at' | 'body' | 'resource_metadata'>;

/** The fact that an event tells, under an id and a type that the caller has settled. */
export function factFrom(
  event: Told,
  { id, type, source, seen }: { id: string; type: string; source: FactSource; seen: Seen },
): Fact {
  const { causedBy, reason, rest } = bodyParts(event.body);
  const detail = { ...extrasOf(event), ...rest, ...metadataPart(event.resource_metadata) };
  return {
    id,
    type,
    publishedAt: instantFrom(event.published_at) ?? seen.receivedAt,
    receivedAt: seen.receivedAt,
    source,
    authenticated: seen.authenticated,
    causedBy,
    reason,
    detail: Object.keys(detail).length > 0 ? detail : undefined,
  };
}

/** One entry of an agreement's history (interface 2.2); nothing for what is no object. */
export function historyFact(entry: unknown, seen: Seen): Fact | undefined {
  const parsed = WireEvent.safeParse(entry);
  if (!parsed.success) return undefined;
  const id = wordOf(parsed.data.id) ?? derivedId(JSON.stringify(keptJson(entry)));
  const type = factTypeOf(wordOf(parsed.data.type) ?? 'unknown', 'payto_agreement');
  return factFrom(parsed.data, { id, type, source: 'history', seen });
}

interface BodyParts {
  causedBy: string | undefined;
  reason: Fact['reason'];
  rest: { [key: string]: Json };
}

function bodyParts(body: unknown): BodyParts {
  const nothing = { causedBy: undefined, reason: undefined };
  if (body === undefined || body === null) return { ...nothing, rest: {} };
  if (!isObject(body)) return { ...nothing, rest: { body: keptJson(body) } };
  const causedBy = typeof body['caused_by'] === 'string' ? body['caused_by'] : undefined;
  const reason = reasonFrom(body['reason']);
  const failure = reasonFrom(body['failure']); // failures say why under another name (facts 10)
  const rest = keptObject(body);
  // What could not be read as a cause or a reason stays in the detail, so that nothing is lost.
  if (causedBy !== undefined || body['caused_by'] === null) delete rest['caused_by'];
  if (isWholeReason(body['reason'])) delete rest['reason'];
  return { causedBy, reason: reason ?? failure, rest };
}

const REASON_WORDS: ReadonlySet<string> = new Set(['code', 'title', 'detail', 'narrative']);

/** Whether the fact's reason has all that this one says: then the detail need not have it again. */
function isWholeReason(reason: unknown): boolean {
  if (!isObject(reason)) return typeof reason === 'string' || reason === null;
  return (
    reasonFrom(reason) !== undefined &&
    Object.entries(reason).every(
      ([key, said]) => REASON_WORDS.has(key) && (typeof said === 'string' || said === null),
    )
  );
}

/** What a fact has a place for, and the link, which is never followed. */
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

function extrasOf(event: Told): { [key: string]: Json } {
  return keptObject(Object.fromEntries(Object.entries(event).filter(([key]) => !PLACED.has(key))));
}

function metadataPart(metadata: unknown): { [key: string]: Json } {
  return metadata === undefined || metadata === null ? {} : { resource_metadata: keptJson(metadata) };
}
