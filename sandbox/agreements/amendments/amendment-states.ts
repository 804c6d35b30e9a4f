// The states of an amendment as a table, and the one function that moves it: what it changes, event and ledger together.
import type { Engine } from '../../engine.js';
import type { Explanation } from '../agreement-action.schema.js';
import { tellChange, type AgreementEvent } from '../agreement-events.js';
import type { Agreement } from '../agreement.schema.js';
import { FAILURES } from '../failures.js';
import type { Amendment, AmendmentState } from './amendment.schema.js';
import { amended } from './changes.js';

const NEXT: Record<AmendmentState, readonly AmendmentState[]> = {
  pending: ['created', 'applied', 'failed'],
  created: ['applied', 'declined', 'expired', 'failed', 'recalled'],
  applied: [],
  declined: [],
  expired: [],
  failed: [],
  recalled: [],
};

const isFinished = ({ state }: Amendment): boolean => NEXT[state].length === 0;

/** The amendment that is under way; there is one at most. */
export function runningAmendment({ amendments }: Agreement): Amendment | undefined {
  const last = amendments.at(-1);
  return last !== undefined && !isFinished(last) ? last : undefined;
}

/** The amendment that waits for the payer. */
export function awaitedAmendment(agreement: Agreement): Amendment | undefined {
  const running = runningAmendment(agreement);
  return running?.state === 'created' ? running : undefined;
}

/** An amendment with the agreement it belongs to. */
export interface OfAgreement {
  agreement: Agreement;
  amendment: Amendment;
}

interface AmendmentMove {
  to: AmendmentState;
  failure?: Explanation;
  event?: AgreementEvent;
}

/** Moves the amendment where the table allows it, and says whether it did. Applied, it changes the agreement. */
export function moveAmendment(
  engine: Engine,
  { agreement, amendment }: OfAgreement,
  { to, failure, event }: AmendmentMove,
): boolean {
  const from = amendment.state;
  if (!NEXT[from].includes(to)) return false;
  if (to === 'applied') Object.assign(agreement, amended(engine, agreement, amendment.changes));
  amendment.state = to;
  amendment.failure = failure ?? null;
  tellChange(engine, agreement, { subject: 'payto_agreement_amendment', from, to, event });
  return true;
}

/** It takes effect: of the initiator's amendments, because the payer agreed or did not have to. */
export function applyAmendment(engine: Engine, it: OfAgreement): boolean {
  const { changes, actor } = it.amendment;
  const body = { caused_by: actor, changes };
  return moveAmendment(engine, it, { to: 'applied', event: { name: 'amended', body } });
}

export function failAmendment(engine: Engine, it: OfAgreement, failure: Explanation): boolean {
  const event = { name: 'amendment_failed', body: { failure } };
  return moveAmendment(engine, it, { to: 'failed', failure, event });
}

/** The agreement has ended: there is nothing left to amend. */
export function endAmendment(engine: Engine, agreement: Agreement): void {
  const amendment = runningAmendment(agreement);
  if (amendment !== undefined) failAmendment(engine, { agreement, amendment }, FAILURES.agreement_has_ended);
}
