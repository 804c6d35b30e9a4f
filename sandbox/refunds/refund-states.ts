// The states of a refund as a table, and the one function that moves it: state, event and ledger together.
import type { Engine } from '../engine.js';
import { publish } from '../webhooks/events.js';
import type { PublishedEvent } from '../webhooks/webhook.schema.js';
import type { Refund, RefundFailure, RefundState } from './refund.schema.js';

/** Only a PayTo payment can be tried again, and with it the refund that it pays. */
const NEXT: Record<RefundState, readonly RefundState[]> = {
  created: ['processing'],
  processing: ['processed', 'failed'],
  processed: [],
  failed: ['processing'],
};

const EVENTS: Partial<Record<RefundState, string>> = {
  processed: 'payto_refund.processed',
  failed: 'payto_refund.failed',
};

export interface RefundMove {
  to: RefundState;
  failure?: RefundFailure | undefined;
}

/** Moves the refund where the table allows it, and says whether it did. */
export function moveRefund(engine: Engine, refund: Refund, { to, failure }: RefundMove): boolean {
  const from = refund.state;
  if (!NEXT[from].includes(to)) return false;
  refund.state = to;
  refund.failure = failure ?? null;
  noteRefund(engine, refund, from, tell(engine, refund));
  return true;
}

/** What the body of a failure holds is not recorded (facts 10): here, as of payments, the failure. */
function tell(
  engine: Engine,
  { uid, state, agreement_uid, failure, metadata }: Refund,
): PublishedEvent | undefined {
  const type = EVENTS[state];
  if (type === undefined) return undefined;
  const body = failure === null ? null : { failure };
  return publish(engine, {
    type,
    resource_type: 'payto_refund',
    resource_uid: uid,
    lane: agreement_uid,
    body,
    metadata,
  });
}

export function noteRefund(
  { ledger }: Engine,
  { uid, state }: Refund,
  from: RefundState | null,
  event?: PublishedEvent,
): void {
  ledger.append({
    kind: 'change',
    resource_type: 'payto_refund',
    resource_uid: uid,
    from,
    to: state,
    event_id: event?.id ?? null,
    event_type: event?.type ?? null,
  });
}
