import { createPaymentProvider, type PaymentProvider } from './payment-provider.js';
import { createProvider } from './provider.js';
import { HABITS, ORDER_OF_ANOTHER, orderUnder } from './terms.js';
import type { PaymentOrder } from '../../domain/agreement/mandate.js';
import type { RefundOrder } from '../../domain/refund/request.schema.js';
import type { Agenda } from '../support/agenda.js';
import type { Provider, ProviderEvent } from './provider-interface.js';
import type { RefundProvider } from './refund-provider.js';
import type { Scenario } from './events.js';

export interface FarSide {
  provider: Provider;
  payments: Map<string, PaymentProvider>;
  refunds: Map<string, RefundProvider>;
  asCalled: Provider;
  paymentAsCalled: (uid: string) => PaymentProvider;
  refund: (uid: string) => RefundProvider;
  push: (deliver: () => void) => void;
  nextWebhook: (afterMs: readonly number[]) => void;
  limitUntil: (ms: number, code?: Limit) => void;
  startForeign: () => void;
  startAnothers: (uid: string) => void;
  isAnothers: (uid: string) => boolean;
  orderOf: (uid: string) => PaymentOrder;
  scheme: Scheme;
}

/** Too many payments in the period, or over the limit of the day. */
type Limit = 'ZPPAY17' | 'ZPPAY01';

interface Scheme {
  failures: number;
  suspensions: number;
}

interface Given {
  agenda: Agenda;
  scenario: Scenario;
  met: (fault: string) => void;
  note: (text: () => string) => void;
  receive: (event: ProviderEvent) => void;
  receivePayment: (uid: string, event: ProviderEvent) => void;
  receiveRefund: (uid: string, event: ProviderEvent) => void;
}

const PROMPT = [200];
const LATE_MS = 5000;
const FAILURES_IN_A_ROW = 7;
const isForeign = (uid: string): boolean => uid.startsWith('pay-foreign');
const NOT_SHOWN: PaymentProvider = {
  submit: () => 'ZPPAY00',
  retry: () => 'ZPPRY00',
  reverse: () => undefined,
  shown: () => undefined,
  takenAtMs: () => undefined,
};

export function createFarSide({
  agenda,
  scenario,
  met,
  note,
  receive,
  receivePayment,
  receiveRefund,
}: Given): FarSide {
  let limitedUntilMs = -Infinity;
  let limit: Limit = 'ZPPAY17';
  let ids = 0;
  const arrivals: (readonly number[])[] = [];
  const payments = new Map<string, PaymentProvider>();
  const isLimited = (): boolean => {
    if (agenda.nowMs() >= limitedUntilMs) return false;
    met('limit');
    return true;
  };
  const push = (deliver: () => void): void => {
    const afterMs = arrivals.shift() ?? PROMPT;
    if (afterMs.length !== 1) met(afterMs.length === 0 ? 'webhook lost' : 'webhook twice');
    else if ((afterMs[0] ?? 0) > LATE_MS) met('webhook late');
    for (const ms of afterMs) agenda.after(ms, deliver);
  };
  const provider = createProvider(agenda, HABITS, (event) => {
    note(() => `provider: ${event.type}`);
    push(() => {
      receive(event);
    });
  });
  const publisher =
    (uid: string, take: Given['receivePayment']) =>
    (type: string): void => {
      ids += 1;
      const event = { id: `p-${ids}`, type, publishedAtMs: agenda.nowMs(), atMs: agenda.nowMs() };
      note(() => `provider: ${uid} ${type}`);
      push(() => {
        take(uid, event);
      });
    };
  const others = new Set<string>();
  const scheme: Scheme = { failures: 0, suspensions: 0 };
  let failedInARow: string[] = [];
  const countIn = (uid: string, type: string): void => {
    if (type === 'settled') failedInARow = [];
    if (type !== 'failed') return;
    scheme.failures += 1;
    failedInARow.push(uid);
    if (failedInARow.length < FAILURES_IN_A_ROW) return;
    if (!failedInARow.some(isForeign)) scheme.suspensions += 1;
    failedInARow = [];
    if (provider.canService('suspend')) provider.service('suspend');
  };
  const payment = (uid: string): PaymentProvider => {
    const known = payments.get(uid);
    if (known !== undefined) return known;
    const publish = publisher(uid, receivePayment);
    const made = createPaymentProvider(agenda, habitsOf(scenario, payments.size === 0), (type) => {
      publish(type);
      if (!others.has(uid)) countIn(uid, type);
    });
    payments.set(uid, made);
    return made;
  };
  const refunds = new Map<string, RefundProvider>();
  const refund = (uid: string): RefundProvider => {
    const known = refunds.get(uid);
    if (known !== undefined) return known;
    let ordered: RefundOrder | undefined;
    const habits = { ...scenario.refunds, limit: Infinity, others: 0, by: [] };
    const made = createPaymentProvider(agenda, habits, publisher(uid, receiveRefund));
    const created: RefundProvider = {
      shown: made.shown,
      order: () => ordered,
      submit: (order) => {
        const answer = made.submit();
        if (answer === '201') ordered = order;
        return answer;
      },
    };
    refunds.set(uid, created);
    return created;
  };
  const judged = (made: PaymentProvider): PaymentProvider => ({
    ...made,
    retry: () => (provider.agreement()?.state === 'active' ? made.retry() : 'ZPPAY03'),
    submit: () => {
      if (isLimited()) return limit;
      const isAllowed = provider.agreement()?.state === 'active' || made.shown() !== undefined;
      return isAllowed ? made.submit() : 'ZPPAY03';
    },
  });
  return {
    provider,
    payments,
    refunds,
    refund,
    asCalled: {
      ...provider,
      create: () => {
        if (scenario.hides !== 'creation') return isLimited() ? 'refused' : provider.create();
        met('uid hidden');
        return 'duplicate';
      },
    },
    paymentAsCalled: (uid) => {
      if (scenario.hides !== 'payments') return judged(payment(uid));
      met('uid hidden');
      return NOT_SHOWN;
    },
    push,
    nextWebhook: (afterMs) => void arrivals.push(afterMs),
    limitUntil: (ms, code = 'ZPPAY17') => {
      limitedUntilMs = ms;
      limit = code;
    },
    startForeign: () => {
      payment(`pay-foreign-${payments.size}`).submit();
    },
    startAnothers: (uid) => {
      if (scenario.hides !== 'payments' && payment(uid).submit() === '201') others.add(uid);
    },
    isAnothers: (uid) => others.has(uid),
    orderOf: (uid) => (others.has(uid) ? ORDER_OF_ANOTHER : orderUnder(scenario.terms)),
    scheme,
  };
}

const habitsOf = ({ payments, terms }: Scenario, isFirst: boolean): Scenario['payments'] =>
  terms === undefined ? payments : { ...payments, ends: isFirst ? 'failed' : 'settled' };
