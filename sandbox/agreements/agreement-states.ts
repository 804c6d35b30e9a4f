// The states of an agreement as a table, and the one function that moves it: state, event and ledger together.
import type { Engine } from '../engine.js';
import { tellChange } from './agreement-events.js';
import type { AgreementMove } from './agreement-moves.js';
import type { Agreement, AgreementState } from './agreement.schema.js';
import { endAmendment } from './amendments/amendment-states.js';
import { withoutNarrative } from './reasons.js';

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

/** Whether the agreement stands: only then can it be amended. */
export const stands = ({ state }: Agreement): boolean => state === 'active' || state === 'suspended';

const canMove = ({ state }: Agreement, to: AgreementState): boolean => NEXT[state].includes(to);

/** Moves the agreement where the table allows it, and says whether it did. An end takes a running amendment with it. */
export function moveAgreement(engine: Engine, agreement: Agreement, move: AgreementMove): boolean {
  const from = agreement.state;
  if (!canMove(agreement, move.to)) return false;
  agreement.state = move.to;
  agreement.state_reason = move.reason === undefined ? null : withoutNarrative(move.reason);
  agreement.state_caused_by = move.causedBy;
  tellChange(engine, agreement, { subject: 'payto_agreement', from, to: move.to, event: move.event });
  if (isFinal(agreement)) endAmendment(engine, agreement);
  return true;
}
