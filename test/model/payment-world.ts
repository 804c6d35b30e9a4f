// One payment with everything around it: a provider that counts its limits before it looks at uids, lags in what it shows and
// refuses what it has; the network; and the shipped story in virtual time. What must hold all along is checked as it happens.
import { cellOf } from '../../workflows/entity/loop.js';
import { PAYMENT_REPORTS } from '../../workflows/entity/talk.js';
import { HANDLERS } from '../../workflows/payment/handlers.js';
import { carriedOver, newPayment } from '../../workflows/payment/state.js';
import { PAYMENT } from '../../workflows/payment/steps.js';
import { createLife } from '../support/virtual-life.js';
import { createVirtualRuntime } from '../support/virtual-runtime.js';
import { attemptsOf } from '../../domain/attempts.js';
import { createAgenda } from '../support/agenda.js';
import { factOf } from './calls.js';
import { createNetwork } from './network.js';
import { RETRYABLE, createPaymentProvider, paymentAnswersOf } from './payment-provider.js';
import { note } from './world.js';
import type { PaymentOrder } from '../../domain/mandate.js';
import type { PaymentOutcome, PaymentReport } from '../../domain/payment-outcome.js';
import type { State } from '../../workflows/payment/state.js';
import type { Answers } from '../support/virtual-runtime.js';
import type { Agenda } from '../support/agenda.js';
import type { Network } from './network.js';
import type { PaymentHabits, PaymentProvider } from './payment-provider.js';

export interface PaymentSetup extends PaymentHabits {
  skewMs: number;
  /** By policy it is tried again so often; 0 for never. */
  attempts: number;
  everySeconds: number;
}

export interface PaymentWorld {
  agenda: Agenda;
  network: Network;
  provider: PaymentProvider;
  seen: Map<string, number>;
  /** Some reading was older than any absence takes to be believed. */
  hadLongLag: boolean;
  state(): State;
  isOver(): boolean;
  /** What its agreement was told last. */
  reported(): PaymentOutcome;
  /** It is asked for. */
  begin(): void;
  restored(): Promise<void>;
}

const BEGIN_MS = Date.UTC(2026, 9, 1, 3);
const UID = 'pay-model';
const ORDER: PaymentOrder = {
  agreement_uid: 'agr-model',
  amount: 4200,
  priority: 'unattended',
  reference: 'INV 5',
  description: 'October',
  creditor_reference: 'C-5',
};

/** Between a submission of unknown outcome and the next the provider has not had it for so long (docs/architecture.md#payments-never-twice). */
const ABSENT_MS = 120_000;

export function createPaymentWorld(setup: PaymentSetup): PaymentWorld {
  const agenda = createAgenda(BEGIN_MS);
  const seen = new Map<string, number>();
  const now = (): string => new Date(agenda.nowMs() + setup.skewMs).toISOString();
  const { attempts, everySeconds } = setup;
  const handling = attempts === 0 ? undefined : { retry: { attempts, everySeconds } };
  const cell = cellOf(newPayment({ uid: UID, connectionId: 'acme', order: ORDER, handling }, now()));
  let reported: PaymentReport | undefined;
  let events = 0;
  const network = createNetwork(agenda, (event) => {
    const fact = {
      ...factOf(event, { receivedAt: now(), source: 'webhook', authenticated: true }),
      ...(event.type === 'failed' && { detail: { failure: RETRYABLE } }),
    };
    const run = life.run();
    if (run !== undefined) return void HANDLERS.paymentFact.take(cell, run.runtime, fact);
    // What is over is taken up again by a fresh run (delivery/deliver.ts).
    life.begin(({ runtime }) => void HANDLERS.paymentFact.take(cell, runtime, fact));
  });
  const there = createPaymentProvider(agenda, setup, (type) => {
    events += 1;
    network.push({ id: `e-${events}`, type, publishedAtMs: agenda.nowMs(), atMs: agenda.nowMs() });
  });
  const provider: PaymentProvider = {
    ...there,
    submit: () => {
      const answer = there.submit();
      note(seen, `answered ${answer}`);
      return answer;
    },
  };
  let unknownRetryOf = -1;
  const answers = paymentAnswersOf({
    network,
    localNow: now,
    provider: () => provider,
    order: () => ORDER,
  });
  const life = createLife({
    story: PAYMENT,
    cell,
    carriedOver,
    createRuntime: () =>
      createVirtualRuntime(
        { now, after: agenda.after },
        { ...answers, submitPayment, retryPayment },
        {
          // Its agreement stands: whoever asks is allowed.
          signal: ({ signal, arg }) => {
            const run = life.run();
            if (signal === PAYMENT_REPORTS) reported = arg as PaymentReport;
            else if (run !== undefined) void HANDLERS.agreementAnswers.take(cell, run.runtime, {});
            return Promise.resolve(true);
          },
        },
      ),
  });
  const [submitPayment, retryPayment] = [submitting(), retrying()];
  const { settle } = life;
  agenda.settleBy(settle);

  function submitting(): NonNullable<Answers['submitPayment']> {
    let onTheWay = 0;
    let unknownSinceMs = -Infinity;
    return (args, scope) => (done) => {
      if (onTheWay > 0) throw new Error('sent again while it was on its way');
      if (agenda.nowMs() - unknownSinceMs < ABSENT_MS)
        throw new Error('sent again before it was long absent');
      onTheWay += 1;
      note(seen, 'submitted');
      answers.submitPayment?.(
        args,
        scope,
      )((attempt) => {
        onTheWay -= 1;
        if ('again' in attempt) unknownSinceMs = agenda.nowMs();
        done(attempt);
      });
    };
  }
  /** A retry without an answer is never made again: whatever comes next is another attempt. */
  function retrying(): NonNullable<Answers['retryPayment']> {
    return (args, scope) => (done) => {
      const { length: attempt } = attemptsOf(cell.read());
      if (attempt === unknownRetryOf) throw new Error(`attempt ${attempt} was sent again after no answer`);
      note(seen, 'tried again');
      answers.retryPayment?.(
        args,
        scope,
      )((tried) => {
        if ('again' in tried) unknownRetryOf = attempt;
        done(tried);
      });
    };
  }
  return {
    agenda,
    network,
    provider,
    seen,
    hadLongLag: false,
    state: cell.read,
    isOver: () => life.run() === undefined,
    reported: () => reported?.outcome ?? 'in_flight',
    begin: life.begin,
    restored: async () => {
      const run = life.run();
      if (run !== undefined) void HANDLERS.connectionRestored.take(cell, run.runtime, undefined);
      await settle();
    },
  };
}
