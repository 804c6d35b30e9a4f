// Event types as callers name them: `agreement.active`, or `agreement.*` for all of a group. Pure.
import { EVENT_TYPE_NAMES, type EventType } from './event-types.js';

const groupOf = (type: string): string => type.slice(0, type.indexOf('.'));
const nameOf = (type: string): string => type.slice(type.indexOf('.') + 1);

/** The types that a name or pattern means. Empty: there are none. */
export const typesMatching = (pattern: string): EventType[] =>
  EVENT_TYPE_NAMES.filter((type) => type === pattern || `${groupOf(type)}.*` === pattern);

const MOST_NEAR = 5;
const SAME_START = 4;

/** For the caller who named a type that does not exist. */
export function expectedType(name: string): string {
  const near = typesNear(name);
  const such = near.length === 0 ? 'agreement.active or agreement.*' : near.join(', ');
  return `expected a type of events, such as ${such}`;
}

/** The types that a caller may have meant by a name that is none of them, best first. */
function typesNear(name: string): EventType[] {
  const [group, last] = name.includes('.') ? [groupOf(name), nameOf(name)] : [name, name];
  const start = last.slice(0, SAME_START);
  const near = [
    (type: string) => groupOf(type) === group && nameOf(type).startsWith(start),
    (type: string) => nameOf(type) === last,
    (type: string) => groupOf(type) === group,
    (type: string) => groupOf(type).startsWith(group.slice(0, SAME_START)),
  ];
  const sorted = near.flatMap((isNear) => EVENT_TYPE_NAMES.filter(isNear));
  return [...new Set(sorted)].slice(0, MOST_NEAR);
}
