// Delays an answer: until what is awaited is over (`?wait=seconds`), or until what failed has succeeded; or until the time is up.
import { isAnswered as isStateAnswered } from '../../domain/agreement/lifecycle.js';
import { isClientFinal, isDecidedService } from '../../domain/client/lifecycle.js';
import { isPaymentFinal } from '../../domain/payment/lifecycle.js';
import { isRefundFinal } from '../../domain/refund/lifecycle.js';
import type { AgreementView } from '../../workflows/agreement/contract.js';
import type { BatchView } from '../../workflows/batch/contract.js';
import type { ClientView } from '../../workflows/client/contract.js';
import type { OnboardingView } from '../../workflows/onboarding/contract.js';
import type { CounterpartyView } from '../../workflows/counterparty/contract.js';
import type { PaymentView } from '../../workflows/payment/contract.js';
import type { RefundView } from '../../workflows/refund/contract.js';
import { ApiError, found } from './problems/errors.js';
import { PROBLEMS } from './problems/codes.js';

/** Time as the API sees it: given to it, so that tests need not wait. */
export interface Clock {
  now: () => number;
  /** Resolves after so long, or as soon as the signal aborts; never rejects. */
  pause: (ms: number, signal: AbortSignal) => Promise<void>;
}

interface Patience {
  /** Epoch milliseconds. */
  until: number;
  /** When it aborts, one attempt more is the last. */
  signal: AbortSignal;
  clock: Clock;
}

/** Tries again until it succeeds or the time is up; then rejects as the last attempt did. */
export async function retried<T>(attempt: () => Promise<T>, { until, signal, clock }: Patience): Promise<T> {
  for (let gap = GAP_MS.first; ; gap = Math.min(gap * GAP_MS.growth, GAP_MS.most)) {
    try {
      return await attempt();
    } catch (error) {
      if (signal.aborted || clock.now() + gap > until) throw error;
    }
    await clock.pause(gap, signal);
  }
}

const GAP_MS = { first: 100, growth: 1.5, most: 500 };

interface Watch<View> {
  /** Undefined where there is nothing to read yet: the view before stands. */
  read: () => Promise<View | undefined>;
  isOver: (view: View) => boolean;
  seconds: number | undefined;
  /** Aborts when the caller goes away. */
  signal: AbortSignal;
  clock: Clock;
}

/** A request that says by `?wait=seconds` how long its caller waits. */
interface Waiting {
  req: { valid: (target: 'query') => { wait?: number | undefined }; raw: Request };
}

/** How long the caller of a request waits, and until when. */
export const waitOf = ({ req }: Waiting): Pick<Watch<unknown>, 'seconds' | 'signal'> => ({
  seconds: req.valid('query').wait,
  signal: req.raw.signal,
});

/** Where a thing stands at the end of the wait. @throws ApiError `not_found` */
export async function viewInTime<View>({ what, ...watch }: Watch<View> & { what: string }): Promise<View> {
  return watched(found(await watch.read(), what), watch);
}

/** The newest view at the end of the wait. An outage meanwhile changes nothing: the last view is answered. */
export async function watched<View>(first: View, watch: Watch<View>): Promise<View> {
  const { read, isOver, seconds = 0, signal, clock } = watch;
  const end = clock.now() + seconds * 1000;
  let view = first;
  let gap = GAP_MS.first;
  for (let left = end - clock.now(); left > 0 && !isOver(view) && !signal.aborted; left = end - clock.now()) {
    await clock.pause(Math.min(gap, left), signal);
    gap = Math.min(gap * GAP_MS.growth, GAP_MS.most);
    const before = view;
    view = (await read().catch(lastViewInOutage)) ?? before;
  }
  return view;
}

function lastViewInOutage(error: unknown): undefined {
  if (error instanceof ApiError && PROBLEMS[error.code].status === 503) return undefined;
  throw error;
}

export const isAnswered = ({ state }: AgreementView): boolean =>
  state === 'unknown' || isStateAnswered(state);

/** Also over when only an operator can go on. */
export const isDecided = ({ state, awaiting }: PaymentView): boolean =>
  state === 'unknown' || isPaymentFinal(state) || awaiting.what === 'operator';

/** The same of a refund. */
export const isRefundDecided = ({ state, awaiting }: RefundView): boolean =>
  state === 'unknown' || isRefundFinal(state) || awaiting.what === 'operator';

/** The same of a client: once its service is decided. */
export const isClientDecided = ({ state, awaiting }: ClientView): boolean =>
  state === 'unknown' || isClientFinal(state) || isDecidedService(state) || awaiting.what === 'operator';

/** The same of an onboarding: once it is over, or a person has to act. */
export const isOnboardingSettled = ({ state, attention }: OnboardingView): boolean =>
  state !== 'under_way' ||
  attention.some(({ code }) => code === 'parked' || code === 'needs_reauthorisation');

/** The same of a counterparty: once it is registered, or a person has to act. */
export const isCounterpartyDecided = ({ state, awaiting }: CounterpartyView): boolean =>
  state === 'registered' || state === 'failed' || state === 'unresolved' || awaiting.what === 'operator';

/** The same of a batch: once every row has its answer or waits for a person, or it is paused. */
export const isBatchOver = ({ state, counts }: BatchView): boolean =>
  state === 'paused' || (state !== 'receiving' && (counts.waiting ?? 0) === 0 && (counts.started ?? 0) === 0);
