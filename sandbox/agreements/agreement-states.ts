// The states of an agreement as a table, and the one function that moves it: state, event and ledger together.
import type { Engine } from '../engine.js';
import type { Agreement, AgreementState } from './agreement.schema.js';
import type { EventBody } from '../webhooks/webhook.schema.js';
import { publish } from '../webhooks/events.js';

const NEXT: Record<AgreementState, readonly AgreementState[]> = {
  pending: ['created', 'failed'],
  created: ['active', 'declined', 'expired', 'cancelled'],
  active: ['suspended', 'cancelled'],
  suspended: ['active', 'cancelled'],
  declined: [],
  expired: [],
  cancelled: [],
  failed: [],
};

export interface AgreementMove {
  to: AgreementState;
  causedBy: string;
  /** The code that stands as `state_reason`. */
  reason?: string;
  /** Named without `payto_agreement.`; a move without one is silent. */
  event?: { name: string; body: EventBody };
}

/** Moves the agreement where the table allows it, and says whether it did. */
export function moveAgreement(engine: Engine, agreement: Agreement, move: AgreementMove): boolean {
  const from = agreement.state;
  if (!NEXT[from].includes(move.to)) return false;
  agreement.state = move.to;
  agreement.state_reason = move.reason ?? null;
  agreement.state_caused_by = move.causedBy;
  const event =
    move.event &&
    publish(engine, {
      type: `payto_agreement.${move.event.name}`,
      resource_type: 'payto_agreement',
      resource_uid: agreement.uid,
      lane: agreement.uid,
      body: move.event.body,
      metadata: agreement.metadata,
    });
  engine.ledger.append({
    kind: 'change',
    resource_type: 'payto_agreement',
    resource_uid: agreement.uid,
    from,
    to: move.to,
    event_id: event?.id ?? null,
    event_type: event?.type ?? null,
  });
  return true;
}
