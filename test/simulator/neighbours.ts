import type { AGREEMENT } from '../../workflows/agreement/definition.js';
import { waitMs } from '../../domain/time/poll-intervals.js';
import type { AgreementAnswer } from '../../domain/terms/judgement.js';
import type { PaymentHolder } from '../../workflows/payment/contract.js';
import type { Remembered } from '../../domain/records/remembered.js';
import type { PaymentAsk } from '../../workflows/agreement/contract.js';
import type { AgreementState } from '../../workflows/agreement/state.js';
import type { PaymentState } from '../../workflows/payment/state.js';
import type { ResourceState } from '../../workflows/resource/state.js';
import type { Call } from '../support/virtual-runtime.js';
import { BEGIN_MS } from './terms.js';
import type { Agenda } from '../support/agenda.js';
import type { Scenario } from './events.js';
import type { Host } from './host.js';

const OVER: AgreementAnswer = { refusal: { code: 'agreement_final', detail: 'its agreement has ended.' } };

export const askingAgreement =
  (
    agreement: Host<AgreementState> | undefined,
    { getPermission, admitRetry }: Pick<(typeof AGREEMENT)['handlers'], 'getPermission' | 'admitRetry'>,
    ask: PaymentAsk,
  ): Call<AgreementAnswer> =>
  (done) => {
    const answer = (given: AgreementAnswer | null): void => {
      if (given === null)
        done({ again: 'nothing_new', afterMs: (attempt) => waitMs('agreement', attempt, 0.5) });
      else done({ ok: given });
    };
    if (agreement === undefined || agreement.isOver()) return done({ ok: OVER });
    if (!ask.isRetry)
      return agreement.query((state) => {
        answer(agreement.isOver() ? OVER : getPermission.read(state, ask));
      });
    agreement.update(admitRetry, ask, (given) => {
      answer(given instanceof Error ? OVER : given);
    });
  };

/** Whether it is searched for at the provider without a doubtful submission. */
export const isSearched = (host: Pick<Host<ResourceState>, 'state' | 'isLost'> | undefined): boolean =>
  host?.state().submission.stage === 'parked' || host?.isLost() === true;

export const waitsForConsent = (host: Pick<Host<ResourceState>, 'state'>): boolean =>
  host.state().awaiting.what === 'reauthorisation';

export const findingAdmitted =
  (payments: ReadonlyMap<string, Host<PaymentState>>) =>
  ({ uid }: { uid: string }): Call<PaymentHolder | null> =>
  (done) => {
    const { order, requestedAt = '' } = payments.get(uid)?.state() ?? {};
    done({ ok: order === undefined ? null : { of: order.agreement_uid, amount: order.amount, requestedAt } });
  };

/** What the records have of a payment, once they answer. */
export const readingRecords =
  (payments: ReadonlyMap<string, Host<PaymentState>>, agenda: Agenda, { recordsAwayMs = 0 }: Scenario) =>
  ({ uid }: { uid: string }): Call<Remembered | undefined> =>
  (done) => {
    if (agenda.nowMs() < BEGIN_MS + recordsAwayMs)
      return done({ again: 'unavailable', afterMs: () => 60_000 });
    const state = payments.get(uid)?.state();
    const ids = { version: 1, identity: uid, connectionId: state?.connectionId };
    done({
      ok: state && { is: 'row', ...ids, state: state.submission.stage, view: { order: state.order } },
    });
  };

/** In such a life the agreement has taken payments before, and has dropped one of them. */
export const havingDropped = (
  agreement: typeof AGREEMENT,
  { recordsAwayMs }: Scenario,
): typeof AGREEMENT => ({
  ...agreement,
  begin: (input, now) => ({
    ...agreement.begin(input, now),
    paymentsOlder: recordsAwayMs === undefined ? 0 : 1,
  }),
});
