// Admits a payment under an agreement: judges it, adds it to the ledger and starts its workflow in one workflow task.
import { freeUse, applyUse, repeatOfUse } from '../../domain/commands/key-use.js';
import { refusalOf } from '../../domain/terms/judge.js';
import { isTemporary } from '../../domain/terms/rules.js';
import { judgementOf, type AgreementAnswer } from '../../domain/terms/judgement.js';
import { RECORDS_NEEDED } from '../../domain/commands/records-needed.js';
import { decidesAlone as runDecidesAlone } from '../resource/unchecked.js';
import { unlessLeaving } from '../engine/handlers.js';
import { refused, uidUnclear } from '../engine/refusal.js';
import { addPayment, dropPayment } from './ledger.js';
import { openPayment } from './opening.js';
import { termsStatusOf } from './terms.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { StateStore } from '../engine/reconcile.js';
import type { Runtime } from '../engine/runtime.js';
import type { Judged, PaymentAdmitted, PaymentAsk, PaymentRequest, Refused } from './contract.js';
import type { AgreementState } from './state.js';

/** How it was requested before: with the same key and body, or under the same uid. For a uid, the caller compares it with the payment. */
function repeatOf(
  state: AgreementState,
  { uid, use, recorded }: PaymentRequest,
): PaymentAdmitted['repeatOf'] {
  if (repeatOfUse(state, use) === 'same') return 'key';
  if (state.ledger.some((entry) => entry.uid === uid)) return 'uid';
  return recorded === 'nothing' ? undefined : recorded;
}

/** Whether the agreement itself can tell that a payment is new: it has dropped no payment and no key. Otherwise only the records can. */
export const decidesAlone = (state: AgreementState): boolean =>
  state.paymentsOlder === 0 && runDecidesAlone(state);

const KEY_CONFLICT: Refused = {
  code: 'payment_key_conflict',
  detail: 'This key was already used for a different request. Use a new key.',
};

/** Judges a request. The result says why it is refused or how it was requested before. It is empty if the payment would be admitted. */
export function judgeRequest(state: AgreementState, request: PaymentRequest, now: Instant): Judged {
  if (repeatOfUse(state, request.use) === 'other') return { refusal: KEY_CONFLICT };
  const before = repeatOf(state, request);
  if (before !== undefined) return { repeatOf: before };
  const refusal = refusalOf(termsStatusOf(state), request.order, now);
  const isUnclear = state.isUnchecked === true || (request.recorded === undefined && !decidesAlone(state));
  return { refusal: refusal ?? (isUnclear ? RECORDS_NEEDED : undefined) };
}

/** Judges a payment again under the current state, ignoring payments admitted after it unless it is a retry. Null while the state is in doubt. */
export function permissionFor(
  state: AgreementState,
  { order, at, ...asking }: PaymentAsk,
): AgreementAnswer | null {
  const status = termsStatusOf(state, asking);
  const refusal = refusalOf(status, order, at);
  if (refusal === undefined) return { judged: judgementOf(status, at) };
  const { code, detail } = refusal;
  return code === 'agreement_held' || status.isInDoubt || status.isContested
    ? null
    : { refusal: { code, detail, ...(isTemporary(status, code) && { isTemporary: true }) } };
}

/**
 * Refuses a payment that the agreement does not allow.
 * @throws ApplicationFailure whose type is the refusal's code. Its first detail has the rest of the refusal.
 */
export function validatePayment(state: AgreementState, request: PaymentRequest, now: Instant): void {
  const { refusal } = judgeRequest(state, request, now);
  if (refusal !== undefined) throw refusalError(refusal);
}

const refusalError = ({ code, detail, ...rest }: Refused) => refused(code, detail, rest);

const conflictError = (detail: string): Refused => ({
  code: 'payment_uid_conflict',
  detail,
  pointer: '/uid',
});

/** Adds the payment to the ledger and starts its workflow. A repeat starts nothing. */
export async function startPayment(
  store: StateStore<AgreementState>,
  { now, scope, until }: Pick<Runtime, 'now' | 'scope' | 'until'>,
  request: PaymentRequest,
): Promise<PaymentAdmitted> {
  const { read, update } = store;
  const { uid, order, handling, use, by: requestedBy, reportTo, recorded } = request;
  const { connectionId, ledger } = read();
  // Dropped keys that wait for the records.
  const dropped = repeatOfUse({ uses: store.recorder.recording().keys }, use);
  if (dropped === 'other') throw refusalError(KEY_CONFLICT);
  const before = dropped === 'same' ? 'key' : repeatOf(read(), request);
  if (before !== undefined) {
    const requestedAt = ledger.find((entry) => entry.uid === uid)?.requestedAt;
    return { connectionId, requestedAt, repeatOf: before };
  }
  const isLast = order.last_payment === true ? ({ isLast: true } as const) : {};
  const requestedAt = now();
  const judged = judgementOf(termsStatusOf(read()), requestedAt);
  const entry = { uid, amount: order.amount, requestedAt, ...isLast };
  update((state) => applyUse(addPayment(state, entry), use));
  const isUnchecked = recorded === undefined || undefined;
  const input = {
    ...{ uid, connectionId, order, handling, judged, requestedBy, reportTo, requestedAt, isUnchecked },
  };
  const opened = await openPayment(scope(), input, (answer) => unlessLeaving(store, until, answer));
  if (opened.outcome === 'started') return { connectionId, judged };
  update((state) => freeUse(dropPayment(state, uid), use));
  if (opened.outcome === 'unclear') throw uidUnclear(uid);
  if (opened.outcome === 'taken')
    throw refusalError(
      conflictError(`Payment ${uid} already exists under another agreement. Use another uid.`),
    );
  const { amount, requestedAt: since } = opened;
  update((state) => addPayment(state, { uid, amount, requestedAt: since }));
  return { connectionId, requestedAt: since, repeatOf: 'uid' };
}
