import { waitMs } from '../../domain/time/poll-intervals.js';
import { showsTheSame } from '../../domain/payment/lifecycle.js';
import {
  outcomeOfRefund,
  type RefundLifecycleState,
  type RefundReport,
  type RefundSnapshot,
} from '../../domain/refund/lifecycle.js';
import { errorRow } from '../../payments-api/error-table.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { RefundOrder } from '../../domain/refund/request.schema.js';
import type { Fetched } from '../../domain/facts/snapshot.js';
import type { Answers, Attempt, Call } from '../support/virtual-runtime.js';
import { asking, type Answered, type PaymentProvider } from './payment-provider.js';
import type { Line } from './wire.js';

export interface RefundProvider {
  submit: (order: RefundOrder) => Answered;
  shown: PaymentProvider['shown'];
  order: () => RefundOrder | undefined;
}

export function refundedOf(refunds: Iterable<RefundProvider>): ReadonlyMap<string, number> {
  const refunded = new Map<string, number>();
  for (const one of refunds) {
    const order = one.order();
    if (order === undefined || one.shown() === 'failed') continue;
    const { original_payment_uid: uid, refund_payment } = order;
    refunded.set(uid, (refunded.get(uid) ?? 0) + (refund_payment.amount ?? 0));
  }
  return refunded;
}

export const listingOf = (
  network: Line,
  localNow: () => Instant,
  refunds: ReadonlyMap<string, RefundProvider>,
): Pick<Answers, 'listRefunds'> => ({
  listRefunds: ({ uid: paymentUid }) =>
    asking(
      network,
      () =>
        [...refunds].flatMap(([uid, one]): RefundReport[] => {
          const [order, state] = [one.order(), one.shown()];
          if (order?.original_payment_uid !== paymentUid || state === undefined) return [];
          const outcome = outcomeOfRefund(state as RefundLifecycleState);
          return [{ uid, amount: order.refund_payment.amount, outcome, at: localNow() }];
        }),
      (ok) => ({ ok }),
    ),
});

export interface RefundCaller {
  network: Line;
  localNow: () => Instant;
  provider: (uid: string) => RefundProvider;
  report: (paymentUid: string, report: RefundReport) => void;
}

export function refundAnswersOf({ network, localNow, provider, report }: RefundCaller): Answers {
  const fetched = (uid: string, state: string): Fetched<RefundSnapshot> => ({
    fetchedAt: localNow(),
    snapshot: { uid, state, order: provider(uid).order() ?? {} },
    history: [],
  });
  const judged = (uid: string, answer: Answered): Attempt<Fetched<RefundSnapshot>> => {
    if (answer === '201') return { ok: fetched(uid, 'created') };
    const code = answer === 'ZPPAY00' ? 'ZPREF00' : 'ZPREF07';
    return { stop: { code: 'rejected', providerCodes: [code], means: errorRow(code)?.means } };
  };
  const read = <R>(uid: string, judge: (got: string | undefined) => Attempt<R>): Call<R> =>
    asking(network, (lagMs) => provider(uid).shown(lagMs), judge);
  const FREE: Attempt<void> = { ok: undefined };
  return {
    submitRefund: ({ uid, order }) =>
      asking(
        network,
        () => provider(uid).submit(order),
        (answer) => judged(uid, answer),
        true,
      ),
    awaitResumption: () => (done) => {
      done(
        network.isStopped()
          ? { again: 'nothing_new', afterMs: (attempt) => waitMs('stop', attempt, 0.5) }
          : FREE,
      );
    },
    findRefund: ({ uid }) => read(uid, (got) => ({ ok: got === undefined ? null : fetched(uid, got) })),
    lookUpRefund: ({ uid }) =>
      read(uid, (got) => (got === undefined ? { again: 'not_found' } : { ok: fetched(uid, got) })),
    watchRefund: ({ uid, snapshotState, pollIntervals }) =>
      read(uid, (got) =>
        got === undefined || showsTheSame(got, snapshotState)
          ? { again: 'nothing_new', afterMs: (attempt) => waitMs(pollIntervals, attempt, 0.5) }
          : { ok: fetched(uid, got) },
      ),
    adoptRefund: ({ uid, connectionId = 'acme' }) =>
      read(uid, (got) =>
        got === undefined
          ? { again: 'nothing_new', afterMs: (attempt) => waitMs('adoption', attempt, 0.5) }
          : { ok: { ...fetched(uid, got), owner: connectionId } },
      ),
    reportRefund:
      ({ paymentUid, report: news }) =>
      (done) => {
        report(paymentUid, news);
        done(FREE);
      },
  };
}
