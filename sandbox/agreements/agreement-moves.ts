// Every way in which an agreement moves, as data: the state, who caused it and why, and the event that tells of it.
import type { Explanation, Reason } from './agreement-action.schema.js';
import type { AgreementEvent } from './agreement-events.js';
import type { Agreement, AgreementState } from './agreement.schema.js';

/** Who can cause a move; the service acts for the scheme and for banks. */
export type Actor = 'initiator' | 'debtor' | 'service_system';

export interface AgreementMove {
  to: AgreementState;
  causedBy: Actor;
  reason?: Explanation;
  /** A move without one is silent. */
  event?: AgreementEvent;
}

/** It has its id in the scheme now. Neither an event nor the history tells of this step. */
export const registered: AgreementMove = { to: 'created', causedBy: 'initiator' };

export const failed = (failure: Explanation): AgreementMove => ({
  to: 'failed',
  causedBy: 'service_system',
  reason: failure,
  event: { name: 'failed', body: { failure } },
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
  causedBy: 'service_system',
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
