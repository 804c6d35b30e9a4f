// How the ledger tells of a client: by its id and by words for what changed, never by what it says of itself.
import type { Engine } from '../engine.js';

type ResourceType = 'client' | 'counterparty';

export function noteChange(
  { ledger }: Engine,
  resource_type: ResourceType,
  resource_uid: string,
  { from, to }: { from: string | null; to: string },
): void {
  // No webhook tells of any of it (facts 15): callers find out by asking.
  ledger.append({ kind: 'change', resource_type, resource_uid, from, to, event_id: null, event_type: null });
}
