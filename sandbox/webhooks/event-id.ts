// The ids of events, as far as they are known: UUIDv7, which begin with the time of the event.
import { randomBytes } from 'node:crypto';

/** @param twins how many events of the same millisecond there are already. */
export function eventId(atMs: number, twins: number): string {
  const time = Math.floor(atMs).toString(16).padStart(12, '0');
  const counter = twins.toString(16).padStart(3, '0');
  const random = randomBytes(8).toString('hex');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter}-a${random.slice(0, 3)}-${random.slice(3, 15)}`;
}
