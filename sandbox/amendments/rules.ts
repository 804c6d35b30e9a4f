// The business rules for an amendment, in the order in which the provider checks them.
import { isDeepStrictEqual } from 'node:util';
import { creditorAccountProblem } from '../agreements/parties.js';
import { lastPaymentMade, UNANSWERED_MS, checkDates, isDateField, tooLate } from '../agreements/rules.js';
import { stands, runningAmendment } from '../agreements/states.js';
import type { Engine } from '../engine/parts.js';
import { enforce, refuseByCode, type Rule } from '../http/refusal.js';
import type { Agreement } from '../store/agreement.schema.js';
import type { Changes } from '../store/amendment.schema.js';
import { amended, hasChanges, type Amended } from './changes.js';
import type { AmendAgreement } from './request.schema.js';

interface Case {
  engine: Engine;
  agreement: Agreement;
  request: AmendAgreement;
}

const deadline = ({ request }: Case): number => Date.parse(request.resolution_requested_before ?? '');

const RULES: readonly Rule<Case>[] = [
  {
    code: 'ZPAMN00',
    broken: ({ agreement }) => !stands(agreement),
  },
  {
    code: 'ZPAMN01',
    broken: ({ agreement }) => runningAmendment(agreement) !== undefined,
  },
  {
    code: 'ZPAMN08',
    broken: ({ engine, agreement }) => lastPaymentMade(engine.store.payments.values(), agreement.uid),
  },
  {
    code: 'ZPAMN02',
    broken: ({ request }) => !hasChanges(request.changes),
  },
  {
    code: 'ZPAGR05',
    broken: ({ request }) => request.changes.validity_start_date !== undefined,
  },
  {
    code: 'ZPAMN05',
    broken: ({ request, agreement }) => isOtherInitiator(request.changes.initiator, agreement.initiator),
  },
  {
    code: 'ZPAMN04',
    broken: ({ request, agreement }) =>
      request.changes.validity_end_date !== undefined && agreement.validity_end_date === null,
  },
  {
    code: 'ZPAMN07',
    broken: (it) => deadline(it) <= it.engine.clock.now(),
  },
  {
    code: 'ZPAMN06',
    text: (it) => {
      const nowMs = it.engine.clock.now();
      return deadline(it) > nowMs + UNANSWERED_MS ? tooLate(nowMs) : undefined;
    },
  },
];

/**
 * Before 20260901 an amendment may carry the initiator. The documents do not state the rules for an ordinary account. We accept its
 * own details and a new name; another legal name or business number is ZPAMN05.
 */
function isOtherInitiator(asked: Changes['initiator'], own: Agreement['initiator']): boolean {
  const { legal_name, abn, acn } = asked ?? {};
  return (
    (legal_name != null && legal_name !== own.legal_name) ||
    (abn != null && abn !== own.abn) ||
    (acn != null && acn !== own.acn)
  );
}

/** @throws Refusal 422 with the code of the first broken rule. */
export function checkAmendment(engine: Engine, agreement: Agreement, request: AmendAgreement): void {
  enforce(RULES, { engine, agreement, request }, agreement.uid);
  checkOutcome(agreement, request.changes, amended(engine, agreement, request.changes), engine.clock.now());
}

/** The merged result must differ from the agreement, and must satisfy the rules for the changed fields. */
function checkOutcome(agreement: Agreement, changes: Changes, after: Amended, nowMs: number): void {
  const { uid } = agreement;
  const isSame = Object.entries(after).every(([field, value]) =>
    isDeepStrictEqual(value, Reflect.get(agreement, field)),
  );
  if (isSame) throw refuseByCode('ZPAMN03', uid);
  const account = changes.creditor == null ? undefined : after.creditor?.account_identifier;
  const problem = account && creditorAccountProblem(account);
  if (problem !== undefined) throw refuseByCode(problem, uid);
  const { validity_start_date, payment_terms: terms } = { ...agreement, ...after };
  const changed = [...Object.keys(changes), ...Object.keys(changes.payment_terms ?? {})].filter(isDateField);
  const { validity_end_date } = after;
  checkDates({ ...terms, uid, validity_start_date, validity_end_date }, nowMs, changed);
}
