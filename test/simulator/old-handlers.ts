import { applyPaymentReport } from '../../workflows/agreement/consecutive-failures.js';
import { isInFlight } from '../../workflows/agreement/ledger.js';
import { applyPlannedOutcome } from '../../workflows/agreement/plan-dates.js';
import { updateState } from '../../workflows/engine/handlers.js';
import { SHIPPED, type Rules } from './rules.js';
import type { AgreementState } from '../../workflows/agreement/state.js';
import type { PaymentState } from '../../workflows/payment/state.js';

export function withUnknownPaymentUnkept(): Rules {
  const { agreement } = SHIPPED.handlers;
  const handle: typeof agreement.paymentReports.handle = (store, runtime, report) => {
    const { ledger } = store.read();
    const answer = agreement.paymentReports.handle(store, runtime, report);
    const isKnown = ledger.some(({ uid }) => uid === report.uid);
    if (!isKnown) store.update((state) => ({ ...state, ledger }));
    return answer;
  };
  return withHandlers({ agreement: { ...agreement, paymentReports: { handle } } });
}

export function withEventsOfAnother(): Rules {
  const { payment } = SHIPPED.handlers;
  const handle: typeof payment.fact.handle = (store, runtime, fact) => {
    const { parkedFor } = store.read().submission;
    const parkedAs = (as: typeof parkedFor) => (state: PaymentState) =>
      parkedFor === 'difference' ? { ...state, submission: { ...state.submission, parkedFor: as } } : state;
    store.update(parkedAs(undefined));
    const answer = payment.fact.handle(store, runtime, fact);
    store.update(parkedAs(parkedFor));
    return answer;
  };
  return withHandlers({ payment: { ...payment, fact: { handle } } });
}

export function withFlightUncounted(): Rules {
  const { agreement } = SHIPPED.handlers;
  const { requestPayment, getPermission, admitRetry } = agreement;
  const landed = (state: AgreementState): AgreementState => ({
    ...state,
    ledger: state.ledger.filter((entry) => !isInFlight(entry)),
  });
  return withHandlers({
    agreement: {
      ...agreement,
      requestPayment: {
        ...requestPayment,
        validate: (state, request, now) => requestPayment.validate?.(landed(state), request, now),
      },
      getPermission: { read: (state, request) => getPermission.read(landed(state), request) },
      admitRetry: {
        handle: (store, runtime, request) =>
          admitRetry.handle({ ...store, read: () => landed(store.read()) }, runtime, request),
      },
    },
  });
}

/** A planned payment that was never sent kept its entry in the log, and its date was not owed. */
export function withUnsentPlannedForgotten(): Rules {
  const { agreement } = SHIPPED.handlers;
  const paymentReports: typeof agreement.paymentReports = updateState((state, report, now) =>
    report.outcome === 'not_sent'
      ? applyPaymentReport(state, report, now)
      : applyPlannedOutcome(applyPaymentReport(state, report, now), report, now),
  );
  return withHandlers({ agreement: { ...agreement, paymentReports } });
}

/** A retry ignored payments that were requested after it and had ended. */
export function withLaterUncounted(): Rules {
  const { agreement } = SHIPPED.handlers;
  const { admitRetry } = agreement;
  const withoutLater = (state: AgreementState, retried: string): AgreementState => {
    const own = state.ledger.find(({ uid }) => uid === retried);
    const isLater = (at: string): boolean => own !== undefined && at > own.requestedAt;
    return {
      ...state,
      ledger: state.ledger.filter((entry) => isInFlight(entry) || !isLater(entry.requestedAt)),
    };
  };
  return withHandlers({
    agreement: {
      ...agreement,
      admitRetry: {
        handle: (store, runtime, request) =>
          admitRetry.handle(
            { ...store, read: () => withoutLater(store.read(), request.uid) },
            runtime,
            request,
          ),
      },
    },
  });
}

const withHandlers = ({ agreement, payment }: Partial<Rules['handlers']>): Rules => ({
  ...SHIPPED,
  handlers: { ...SHIPPED.handlers, ...(agreement && { agreement }), ...(payment && { payment }) },
});
