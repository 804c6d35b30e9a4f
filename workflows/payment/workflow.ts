// One per payment, under one uid for ever: submitted once, and then found out about until its end is known.
// In:  workflows/agreement/payments.ts starts it; api/temporal/door.ts signals facts.
// Out: activities/submit-payment.ts, find-payment.ts, look-up-payment.ts, watch-payment.ts, adopt-payment.ts.
import { continueAsNew, setHandler, sleep } from '@temporalio/workflow';
import { connectionRestored } from '../agreement/contract.js';
import {
  blockedBy,
  callFailureOf,
  failureFrom,
  isNothingFound,
  refusedToAnswer,
} from '../entity/call-failure.js';
import { adoptPayment, findPayment, lookUpPayment, submitPayment, watchPayment } from '../entity/calls.js';
import { getPayment, paymentFact } from './contract.js';
import {
  ABSENT_AFTER, RESOLVE_AT_SECONDS, carriedPayment, newPayment, nextPaymentStep, withAbsence, withNothingSent, withPaymentFact,
  withPaymentLook, withPaymentOrphanage, withRefusedSubmission, withSubmission, withUnknownOutcome,
} from './state.js'; // prettier-ignore
import { paymentView, publishPayment } from './view.js';
import { reconcile } from '../entity/loop.js';
import { ownerOf, waiting } from '../entity/state.js';
import { lookAgainMs } from '../entity/settle.js';
import type { CallFailure } from '../entity/call-failure.js';
import type { PaymentEnd, PaymentInput } from './contract.js';
import type { PaymentRecord, PaymentStep } from './state.js';
import type { Held } from '../entity/loop.js';
import type { AwaitingWhat } from '../../domain/legible.js';

const AWAITED: Readonly<Record<PaymentStep['do'], AwaitingWhat>> = {
  submit: 'provider-acceptance',
  resolve: 'submission-outcome',
  adopt: 'look-up',
  look_up: 'look-up',
  await_settlement: 'settlement',
  await_consent: 'reauthorisation',
  await_operator: 'operator',
  end: 'nothing',
};

/** The provider's code for a payment uid that it has already (facts 13). */
const DUPLICATE_UID = 'ZPPAY00';

export async function payment(input: PaymentInput): Promise<PaymentEnd> {
  let record = input.carried ?? newPayment(input, now());
  const held: Held<PaymentRecord> = {
    read: () => record,
    change: (by) => void (record = by(record)),
  };

  setHandler(getPayment, () => paymentView(record));
  setHandler(paymentFact, (fact) => held.change((known) => withPaymentFact(known, fact)));
  setHandler(connectionRestored, () => held.change((known) => ({ ...known, blocked: undefined })));

  const outcome = await reconcile<PaymentRecord, PaymentStep>({
    read: held.read,
    next: nextPaymentStep,
    publish: (_known, step) => {
      held.change((known) => waiting(known, AWAITED[step.do], now()));
      publishPayment(record);
    },
    idle: ['await_consent', 'await_operator', 'end'],
    run: (step) =>
      carryOut(step, held).catch((error: unknown) => {
        const failure = callFailureOf(error);
        held.change((known) => afterFailure(known, step, failure));
      }),
    unbroken: 'submit',
  });
  if (outcome === 'end') return { ...paymentView(record), record };
  return continueAsNew<typeof payment>({ uid: record.uid, carried: carriedPayment(record) });
}

const now = (): string => new Date().toISOString();
const called = (record: PaymentRecord) => ({ uid: record.uid, connectionId: ownerOf(record) });

async function carryOut(step: PaymentStep, held: Held<PaymentRecord>): Promise<void> {
  const { read, change } = held;
  const { uid, order } = read();
  switch (step.do) {
    case 'submit': {
      if (order === undefined) return;
      change(withSubmission);
      const accepted = await submitPayment({ ...called(read()), order });
      return change((known) => withPaymentLook(known, accepted));
    }
    case 'resolve':
      return resolve(held);
    case 'adopt': {
      const { owner, ...found } = await adoptPayment({ uid, connectionId: read().connectionId });
      return change((known) => withPaymentLook({ ...known, connectionId: owner }, found));
    }
    case 'look_up': {
      if (step.doubts > 0) await sleep(lookAgainMs(step.doubts), { summary: 'before looking again' });
      const seen = await lookUpPayment(called(read()));
      return change((known) => withPaymentLook(known, seen));
    }
    case 'await_settlement': {
      const seen = await watchPayment({ ...called(read()), ladder: 'payment', shown: step.known });
      return change((known) => withPaymentLook(known, seen));
    }
    case 'await_consent':
    case 'await_operator':
    case 'end':
      return; // idle: reconcile begins none of these
  }
}

/** Asks for the uid until the provider shows it, or has not known it for so long that nothing can be on its way. */
async function resolve({ read, change }: Held<PaymentRecord>): Promise<void> {
  const startedMs = Date.now();
  let absences = 0;
  for (const seconds of RESOLVE_AT_SECONDS) {
    const waitMs = startedMs + seconds * 1000 - Date.now();
    if (waitMs > 0) await sleep(waitMs, { summary: 'before asking whether the provider has it' });
    const found = await findPayment(called(read()));
    if (found !== null) return change((known) => withPaymentLook(known, found));
    absences += 1;
  }
  const isAbsent = absences >= ABSENT_AFTER.answers && Date.now() - startedMs >= ABSENT_AFTER.seconds * 1000;
  if (isAbsent) change((known) => withAbsence(known, now()));
}

function afterFailure(record: PaymentRecord, step: PaymentStep, failure: CallFailure): PaymentRecord {
  const blocked = blockedBy(failure, now(), record.connectionId);
  // A call that lacks consent is refused before anything happens, so a blocked submission has sent nothing.
  if (blocked !== undefined) return { ...(step.do === 'submit' ? withNothingSent(record) : record), blocked };
  // A day in which nobody could be asked says nothing: the next one is asked again.
  if (step.do === 'adopt')
    return isNothingFound(failure) ? withPaymentOrphanage(record, now()) : { ...record };
  if (step.do !== 'submit') return { ...record, blocked: refusedToAnswer(failure, now()) };
  const isRefused = failure.code === 'rejected' && !failure.providerCodes.includes(DUPLICATE_UID);
  return isRefused
    ? withRefusedSubmission(record, now(), failureFrom(failure))
    : withUnknownOutcome(record, now());
}
