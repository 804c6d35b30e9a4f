// What is pushed about investigations: a JSON:API resource that stands alone and names no event (docs/provider.md#events).
import { isObject } from './values.js';

/** As the provider's log of deliveries names them. */
const NAME_OF_DIRECTION: ReadonlyMap<unknown, string> = new Map([
  ['incoming', 'investigations.message_received'],
  ['outgoing', 'investigations.message_sent'],
]);

/** Whether it is an event or a message of an investigation. */
export const isInvestigation = ({ type }: Record<string, unknown>): boolean =>
  type === 'events' || type === 'messages';

/** The name of the event that a resource is pushed for; nothing for other resources, and messages of neither direction. */
export function investigationType(data: Record<string, unknown>): string | undefined {
  if (data['type'] === 'events') return 'investigations.action_requested';
  const { attributes } = data;
  if (data['type'] !== 'messages' || !isObject(attributes)) return undefined;
  return NAME_OF_DIRECTION.get(attributes['direction']);
}

/** When an event of an investigation happened; messages do not say. */
export function momentOf({ type, attributes }: Record<string, unknown>): unknown {
  return type === 'events' && isObject(attributes) ? attributes['at'] : undefined;
}
