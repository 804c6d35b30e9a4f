// The workflows that the product is compared with, as an engineer would write them by hand at the first attempt.
import {
  condition,
  defineSignal,
  proxyActivities,
  proxyLocalActivities,
  proxySinks,
  setHandler,
  startChild,
  type Sinks,
} from '@temporalio/workflow';
import type { ComparisonActivities } from '../activities.js';

/** What happened to an agreement or a payment, as the provider or a caller reports it. */
export const happened = defineSignal<[type: AgreementEvent]>('happened');
export const settled = defineSignal('settled');

export type AgreementEvent = 'created' | 'activated' | 'pay' | 'suspended' | 'reactivated' | 'cancelled';

export interface ReportSinks extends Sinks {
  report: { state(uid: string, state: string): void };
}

const calls = proxyActivities<ComparisonActivities>({ startToCloseTimeout: '30 seconds' });
const { storeChange } = proxyLocalActivities<ComparisonActivities>({ startToCloseTimeout: '10 seconds' });
const { report } = proxySinks<ReportSinks>();

const ACCEPTED_WITHIN = '5 days';
const STATES: Record<Exclude<AgreementEvent, 'pay'> | 'expired', string> = {
  created: 'created',
  activated: 'active',
  suspended: 'suspended',
  reactivated: 'active',
  cancelled: 'cancelled',
  expired: 'expired',
};

/** An agreement: created at the provider, changed by signals, with a child workflow for each payment. It ends when cancelled. */
export async function bareAgreement(uid: string): Promise<string> {
  const events: AgreementEvent[] = [];
  setHandler(happened, (type) => void events.push(type));
  await calls.createAgreement(uid);
  let [state, version] = ['requested', 0];
  const store = (event: string, now: string): Promise<void> =>
    storeChange({ uid, version: (version += 1), event, state: now });
  while (state !== 'cancelled' && state !== 'expired') {
    const isAccepted = state !== 'requested' && state !== 'created';
    const isInTime = await waitFor(() => events.length > 0, isAccepted ? undefined : ACCEPTED_WITHIN);
    const type = isInTime ? events.shift() : 'expired';
    if (type === undefined) continue;
    if (type === 'pay') {
      const payment = await startChild(barePayment, { args: [uid], workflowId: paymentIdOf(uid) });
      void payment.result().then(() => store('paid', 'paid'));
      continue;
    }
    state = STATES[type];
    await store(type, state);
  }
  return state;
}

async function waitFor(isSo: () => boolean, limit: typeof ACCEPTED_WITHIN | undefined): Promise<boolean> {
  if (limit !== undefined) return condition(isSo, limit);
  await condition(isSo);
  return true;
}

/** One payment: submitted to the provider, and settled by a signal. */
export async function barePayment(agreementUid: string): Promise<string> {
  const uid = paymentIdOf(agreementUid);
  let isSettled = false;
  setHandler(settled, () => void (isSettled = true));
  await calls.submitPayment(uid, agreementUid);
  await storeChange({ uid, version: 1, event: 'submitted', state: 'submitted' });
  await condition(() => isSettled);
  await storeChange({ uid, version: 2, event: 'settled', state: 'settled' });
  return 'settled';
}

/** Only waits for the same signals. */
export async function emptyAgreement(uid: string): Promise<void> {
  const events: AgreementEvent[] = [];
  setHandler(happened, (type) => void events.push(type));
  setHandler(settled, () => report.state(uid, 'settled'));
  for (;;) {
    await condition(() => events.length > 0);
    const type = events.shift();
    if (type === undefined) continue;
    report.state(uid, type);
    if (type === 'cancelled') return;
  }
}

const paymentIdOf = (agreementUid: string): string => `${agreementUid}-payment`;
