// The states of agreements and amendments as tables, and the functions that change state, publish the event and write the ledger.
import type { Engine } from '../engine/parts.js';
import { notFound } from '../http/refusal.js';
import type { Explanation, Reason } from '../store/action.schema.js';
import type { Agreement, AgreementState } from '../store/agreement.schema.js';
import type { Amendment, AmendmentState } from '../store/amendment.schema.js';
import type { EventBody } from '../store/webhook.schema.js';
import { publish } from '../webhooks/events.js';
import { FAILURES, withoutNarrative } from './reasons.js';

// The events of an agreement, and the ledger entries for it and for its actions and amendments.
export interface AgreementEvent {
  /** Without the prefix `payto_agreement.`. */
  name: string;
  body: EventBody;
}

/** The subject of a ledger entry: the agreement, or an action or amendment of it. */
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

/** Publishes the change's event, if any, and records both in the ledger under the agreement's uid. */
export function recordChange(
  engine: Engine,
  agreement: Agreement,
  { subject, from, to, event }: Change,
): void {
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

// Every state change of an agreement as data: the new state, its actor and reason, and the event that reports it.

/** The actors that can change an agreement. The service acts for the scheme and for banks. */
export type Actor = 'initiator' | 'debtor' | 'zepto_system';

export interface AgreementMove {
  to: AgreementState;
  causedBy: Actor;
  reason?: Explanation;
  /** If absent, no event reports the change. */
  event?: AgreementEvent;
}

/** The scheme has assigned its id. Neither an event nor the history reports this change. */
export const registered: AgreementMove = { to: 'created', causedBy: 'initiator' };

export const failed = (failure: Explanation): AgreementMove => ({
  to: 'failed',
  causedBy: 'zepto_system',
  reason: failure,
  event: { name: 'failed', body: { reason: failure } },
});

export const accepted = ({ mms_agreement_id }: Agreement): AgreementMove => ({
  to: 'active',
  causedBy: 'debtor',
  event: { name: 'activated', body: { mms_agreement_id } },
});

export const declined = ({ mms_agreement_id }: Agreement, reason: Reason): AgreementMove => ({
  to: 'declined',
  causedBy: 'debtor',
  reason,
  event: { name: 'declined', body: { mms_agreement_id, caused_by: 'debtor', reason } },
});

export const expired = ({ mms_agreement_id }: Agreement): AgreementMove => ({
  to: 'expired',
  causedBy: 'zepto_system',
  event: { name: 'expired', body: { mms_agreement_id } },
});

export const suspended = (causedBy: Actor, reason: Reason): AgreementMove => ({
  to: 'suspended',
  causedBy,
  reason,
  event: { name: 'suspended', body: { caused_by: causedBy, reason } },
});

export const cancelled = (causedBy: Actor, reason: Reason): AgreementMove => ({
  to: 'cancelled',
  causedBy,
  reason,
  event: { name: 'cancelled', body: { caused_by: causedBy, reason } },
});

export const reactivated = (causedBy: Actor): AgreementMove => ({
  to: 'active',
  causedBy,
  event: { name: 'reactivated', body: { caused_by: causedBy } },
});

// The states of an amendment as a table, and the function that changes the state, publishes the event and writes the ledger.
const NEXT_OF_AMENDMENT: Record<AmendmentState, readonly AmendmentState[]> = {
  pending: ['created', 'applied', 'failed'],
  created: ['applied', 'declined', 'expired', 'failed', 'recalled'],
  applied: [],
  declined: [],
  expired: [],
  failed: [],
  recalled: [],
};

/** The amendment in progress. An agreement has at most one. */
export function runningAmendment({ amendments }: Agreement): Amendment | undefined {
  const last = amendments.at(-1);
  return last !== undefined && NEXT_OF_AMENDMENT[last.state].length > 0 ? last : undefined;
}

/** An amendment with its agreement. */
export interface OfAgreement {
  agreement: Agreement;
  amendment: Amendment;
}

interface AmendmentMove {
  to: AmendmentState;
  failure?: Explanation;
  event?: AgreementEvent;
}

export const canBecome = ({ state }: Amendment, to: AmendmentState): boolean =>
  NEXT_OF_AMENDMENT[state].includes(to);

/** Changes the amendment's state if the table allows it. Returns whether it did. */
export function moveAmendment(
  engine: Engine,
  { agreement, amendment }: OfAgreement,
  { to, failure, event }: AmendmentMove,
): boolean {
  const from = amendment.state;
  if (!canBecome(amendment, to)) return false;
  amendment.state = to;
  amendment.failure = failure ?? null;
  recordChange(engine, agreement, { subject: 'payto_agreement_amendment', from, to, event });
  return true;
}

export function failAmendment(engine: Engine, it: OfAgreement, failure: Explanation): boolean {
  const event = { name: 'amendment_failed', body: { failure } };
  return moveAmendment(engine, it, { to: 'failed', failure, event });
}

/** Fails the pending amendment of an agreement that has ended. */
function endAmendment(engine: Engine, agreement: Agreement): void {
  const amendment = runningAmendment(agreement);
  if (amendment !== undefined) failAmendment(engine, { agreement, amendment }, FAILURES.agreement_has_ended);
}

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

export const isFinal = ({ state }: Agreement): boolean => NEXT[state].length === 0;

/** Only an active or suspended agreement can be amended. */
export const stands = ({ state }: Agreement): boolean => state === 'active' || state === 'suspended';

const canMove = ({ state }: Agreement, to: AgreementState): boolean => NEXT[state].includes(to);

/** Changes the agreement's state if the table allows it. Returns whether it did. A final state also ends a pending amendment. */
export function moveAgreement(engine: Engine, agreement: Agreement, move: AgreementMove): boolean {
  const from = agreement.state;
  if (!canMove(agreement, move.to)) return false;
  agreement.state = move.to;
  agreement.state_reason = move.reason === undefined ? null : withoutNarrative(move.reason);
  agreement.state_caused_by = move.causedBy;
  recordChange(engine, agreement, { subject: 'payto_agreement', from, to: move.to, event: move.event });
  if (isFinal(agreement)) endAmendment(engine, agreement);
  return true;
}

/** @throws Refusal 404 if no agreement has this uid. */
export function findAgreement({ store }: Engine, uid: string): Agreement {
  const agreement = store.agreements.get(uid);
  if (agreement !== undefined) return agreement;
  throw notFound(`There is no agreement with uid ${uid}`);
}
