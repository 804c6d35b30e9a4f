// What the provider tells of an agreement, and the ledger's lines on what belongs to one.
import type { Engine } from '../engine.js';
import type { Agreement } from './agreement.schema.js';
import type { EventBody } from '../webhooks/webhook.schema.js';
import { publish } from '../webhooks/events.js';

export interface AgreementEvent {
  /** Without `payto_agreement.` before it. */
  name: string;
  body: EventBody;
}

/** What an agreement's ledger lines are about: itself, or something that is asked of it. */
type Subject =
  | 'payto_agreement'
  | 'payto_agreement_amendment'
  | 'payto_agreement_amendment_recall'
  | 'payto_agreement_cancellation'
  | 'payto_agreement_identification'
  | 'payto_agreement_reactivation'
  | 'payto_agreement_suspension';

export interface Change {
  subject: Subject;
  from: string | null;
  to: string;
  event?: AgreementEvent | undefined;
}

/** Publishes the event of a change, where it has one, and notes both in the ledger under the agreement's uid. */
export function tellChange(engine: Engine, agreement: Agreement, { subject, from, to, event }: Change): void {
  const published =
    event &&
    publish(engine, {
      type: `payto_agreement.${event.name}`,
      resource_type: 'payto_agreement',
      resource_uid: agreement.uid,
      lane: agreement.uid,
      body: event.body,
      metadata: agreement.metadata,
    });
  engine.ledger.append({
    kind: 'change',
    resource_type: subject,
    resource_uid: agreement.uid,
    from,
    to,
    event_id: published?.id ?? null,
    event_type: published?.type ?? null,
  });
}
