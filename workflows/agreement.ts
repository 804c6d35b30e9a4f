// One per PayTo agreement, alive until the agreement is over. The workflow is the record of truth.
// In:  api/temporal.ts starts it and signals facts.
// Out: activities/create-agreement.ts, look-up-agreement.ts, watch-agreement.ts, adopt-agreement.ts; workflows/payment.ts.
import { CancellationScope, continueAsNew, setHandler, sleep } from '@temporalio/workflow';
import {
  agreementFact,
  connectionRestored,
  getAgreement,
  getTimeline,
  requestPayment,
} from './agreement.contract.js';
import {
  carriedAgreement, decisionDueMs, newAgreement, nextStep, withFact, withLook, withOrphanage, withOverdue, withRefusal,
} from './agreement-record.js'; // prettier-ignore
import { agreementTimeline, agreementView, publishAgreement } from './agreement-words.js';
import { assertAdmissible, startPayment } from './agreement-payments.js';
import { blockedBy, callFailureOf, failureFrom, isNothingFound, refusedToAnswer } from './call-failure.js';
import { adoptAgreement, createAgreement, lookUpAgreement, watchAgreement } from './calls.js';
import { reconcile } from './reconcile.js';
import { lookAgainMs, ownerOf, waiting } from './record.js';
import type { AgreementEnd, AgreementInput, PaymentRequest } from './agreement.contract.js';
import type { AgreementRecord, AgreementStep } from './agreement-record.js';
import type { CallFailure } from './call-failure.js';
import type { Held } from './reconcile.js';
import type { AwaitingWhat } from '../domain/legible.js';

const AWAITED: Readonly<Record<AgreementStep['do'], AwaitingWhat>> = {
  create: 'provider-acceptance',
  adopt: 'look-up',
  look_up: 'look-up',
  await_payer: 'payer-decision',
  await_consent: 'reauthorisation',
  rest: 'nothing',
  end: 'nothing',
};

export async function agreement(input: AgreementInput): Promise<AgreementEnd> {
  let record = input.carried ?? newAgreement(input, now());
  const held: Held<AgreementRecord> = {
    read: () => record,
    change: (by) => void (record = by(record)),
  };

  setHandler(getAgreement, () => agreementView(record));
  setHandler(getTimeline, () => agreementTimeline(record));
  setHandler(agreementFact, (fact) => held.change((known) => withFact(known, fact)));
  setHandler(connectionRestored, () => held.change((known) => ({ ...known, blocked: undefined })));
  setHandler(requestPayment, (request) => startPayment(held, request), {
    validator: (request: PaymentRequest) => assertAdmissible(record, request),
  });

  const outcome = await reconcile<AgreementRecord, AgreementStep>({
    read: held.read,
    next: nextStep,
    publish: (known, { do: doing }) => {
      const until = doing === 'await_payer' ? new Date(decisionDueMs(known)).toISOString() : undefined;
      held.change((before) => waiting(before, AWAITED[doing], now(), until));
      publishAgreement(record);
    },
    idle: ['await_consent', 'rest', 'end'],
    run: (step) =>
      carryOut(step, held).catch((error: unknown) => {
        const failure = callFailureOf(error);
        held.change((known) => afterFailure(known, step, failure));
      }),
  });
  if (outcome === 'end') return { ...agreementView(record), record };
  return continueAsNew<typeof agreement>({ uid: record.uid, carried: carriedAgreement(record) });
}

const now = (): string => new Date().toISOString();
const called = (record: AgreementRecord) => ({ uid: record.uid, connectionId: ownerOf(record) });

async function carryOut(step: AgreementStep, { read, change }: Held<AgreementRecord>): Promise<void> {
  const { uid, mandate = {} } = read();
  switch (step.do) {
    case 'create': {
      const made = await createAgreement({ ...called(read()), mandate });
      return change((known) => withLook(known, made));
    }
    case 'adopt': {
      const { owner, ...found } = await adoptAgreement({ uid, connectionId: read().connectionId });
      return change((known) => withLook({ ...known, connectionId: owner }, found));
    }
    case 'look_up': {
      if (step.doubts > 0) await sleep(lookAgainMs(step.doubts), { summary: 'before looking again' });
      const seen = await lookUpAgreement(called(read()));
      return change((known) => withLook(known, seen));
    }
    case 'await_payer': {
      const { ladder, known: shown } = step;
      const seen = await beforeDeadline(read(), () => watchAgreement({ ...called(read()), ladder, shown }));
      return change((known) => (seen === undefined ? withOverdue(known, now()) : withLook(known, seen)));
    }
    case 'await_consent':
    case 'rest':
    case 'end':
      return; // idle: reconcile begins none of these
  }
}

/** Whatever comes first: an answer, or (undefined) the end of the payer's five days, when we ask anew and decide nothing. */
function beforeDeadline<T>(record: AgreementRecord, watch: () => Promise<T>): Promise<T | undefined> {
  if (record.overdue) return watch();
  return CancellationScope.cancellable(async () => {
    const scope = CancellationScope.current();
    const alarm = sleep(Math.max(decisionDueMs(record) - Date.now(), 1), {
      summary: "the payer's five days",
    });
    try {
      return await Promise.race([watch(), alarm.then(() => undefined)]);
    } finally {
      scope.cancel();
    }
  });
}

function afterFailure(record: AgreementRecord, step: AgreementStep, failure: CallFailure): AgreementRecord {
  const blocked = blockedBy(failure, now());
  if (blocked !== undefined) return { ...record, blocked };
  // A day in which nobody could be asked says nothing: the next one is asked again.
  if (step.do === 'adopt') return isNothingFound(failure) ? withOrphanage(record, now()) : { ...record };
  if (step.do !== 'create') return { ...record, blocked: refusedToAnswer(failure, now()) };
  const { code, title } = failureFrom(failure);
  return withRefusal(record, now(), { code, title });
}
