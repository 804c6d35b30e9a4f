// Events of investigations: a bare JSON:API resource that contains no event name (docs/provider.md#events).
import { isObject } from './values.js';

/** The names in the provider's log of deliveries. */
const NAME_OF_DIRECTION: ReadonlyMap<unknown, string> = new Map([
  ['incoming', 'investigations.message_received'],
  ['outgoing', 'investigations.message_sent'],
]);

/** True for an event or a message of an investigation. */
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
