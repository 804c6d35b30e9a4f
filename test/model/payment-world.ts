// One payment with everything around it: a provider that counts its limits before it looks at uids, lags in what it shows and
// refuses what it has; the network; and the shipped story in virtual time. What must hold all along is checked as it happens.
import { errorRow } from '../../payments-api/error-table.js';
import { cellOf, follow } from '../../workflows/entity/loop.js';
import { HANDLERS } from '../../workflows/payment/handlers.js';
import { newPayment } from '../../workflows/payment/state.js';
import { PAYMENT } from '../../workflows/payment/steps.js';
import { createVirtualRuntime } from '../support/virtual-runtime.js';
import { createAgenda } from './agenda.js';
import { factOf } from './calls.js';
import { createNetwork } from './network.js';
import { note } from './world.js';
import type { PaymentOrder } from '../../domain/mandate.js';
import type { Fetched, PaymentSnapshot } from '../../domain/snapshot.js';
import type { State } from '../../workflows/payment/state.js';
import type { Answers, Attempt, Call } from '../support/virtual-runtime.js';
import type { Agenda } from './agenda.js';
import type { Network } from './network.js';

export interface PaymentSetup {
  /** How many payments the period has room for, and how many others there are. */
  limit: number;
  others: number;
  ends: 'settled' | 'failed';
  /** Through which states it goes before it ends. */
  by: readonly ('pending' | 'under_investigation')[];
  stepMs: number;
  /** The order itself is at fault. */
  refuses: boolean;
  skewMs: number;
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
  /** It is asked for. */
  begin(): void;
  restored(): Promise<void>;
}

type Answered = '201' | '429' | 'ZPPAY00' | 'ZPPAY17' | 'ZPUNP00';

export interface PaymentProvider {
  submit: () => Answered;
  /** What a read shows that is so late behind; nothing is a 404. */
  shown(lagMs?: number): string | undefined;
  throttle(times: number): void;
  /** For so long reads show nothing newer than before now. */
  lagFor(ms: number): void;
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

function createProvider(
  agenda: Agenda,
  setup: PaymentSetup,
  publish: (type: string) => void,
): PaymentProvider {
  const states: { atMs: number; state: string }[] = [];
  let throttled = 0;
  let lagging = { fromMs: Infinity, untilMs: -Infinity };
  const enter = (state: string): void => void states.push({ atMs: agenda.nowMs(), state });
  const commit = (): void => {
    enter('created');
    [...setup.by, setup.ends].forEach((state, index) => {
      agenda.after(setup.stepMs * (index + 1), () => {
        enter(state);
        publish(state);
      });
    });
  };
  return {
    submit: () => {
      if (throttled > 0) {
        throttled -= 1;
        return '429';
      }
      const isThere = states.length > 0;
      if (setup.others + (isThere ? 1 : 0) >= setup.limit) return 'ZPPAY17';
      if (isThere) return 'ZPPAY00';
      if (setup.refuses) return 'ZPUNP00';
      commit();
      return '201';
    },
    shown: (lagMs = 0) => {
      const upToMs = agenda.nowMs() < lagging.untilMs ? lagging.fromMs : agenda.nowMs() - lagMs;
      return states.findLast(({ atMs }) => atMs <= upToMs)?.state;
    },
    lagFor: (ms) => void (lagging = { fromMs: agenda.nowMs(), untilMs: agenda.nowMs() + ms }),
    throttle: (times) => void (throttled = times),
  };
}

/** Between a submission of unknown outcome and the next the provider has not had it for so long (docs/architecture.md#payments-never-twice). */
const ABSENT_MS = 120_000;

/** Sends one request: without an answer the attempt is over. */
const asking =
  <T, R>(
    network: Network,
    act: (lagMs: number) => T,
    judge: (got: T) => Attempt<R>,
    isCommand = false,
  ): Call<R> =>
  (done) => {
    network.request(
      act,
      (answer) => {
        if (answer === 'lost') done({ again: 'unavailable' });
        else if (answer === 'forbidden')
          done({ stop: { code: 'forbidden', providerCodes: [], lacksScope: true } });
        else done(judge(answer.got));
      },
      isCommand,
    );
  };

export function createPaymentWorld(setup: PaymentSetup): PaymentWorld {
  const agenda = createAgenda(BEGIN_MS);
  const seen = new Map<string, number>();
  const now = (): string => new Date(agenda.nowMs() + setup.skewMs).toISOString();
  const cell = cellOf(newPayment({ uid: UID, connectionId: 'acme', order: ORDER }, now()));
  let isOver = false;
  let events = 0;
  const network = createNetwork(agenda, (event) => {
    const fact = factOf(event, { receivedAt: now(), source: 'webhook', authenticated: true });
    void HANDLERS.paymentFact.take(cell, runtime, fact);
    // What is over is taken up again by a fresh run (delivery/deliver.ts).
    if (isOver) begin();
  });
  const provider = createProvider(agenda, setup, (type) => {
    events += 1;
    network.push({ id: `e-${events}`, type, publishedAtMs: agenda.nowMs(), atMs: agenda.nowMs() });
  });
  const fetched = (shown: string): Fetched<PaymentSnapshot> => ({
    fetchedAt: now(),
    snapshot: { uid: UID, state: shown, order: ORDER },
    history: [],
  });
  const shown = (lagMs: number): string | undefined => provider.shown(lagMs);
  const runtime = createVirtualRuntime({ now, after: agenda.after }, answersOf(), {
    // Its agreement stands: whoever asks is allowed.
    signal: () => {
      void HANDLERS.agreementAnswers.take(cell, runtime, {});
      return Promise.resolve(true);
    },
  });
  const settle = () => runtime.settle();
  agenda.settleBy(settle);
  const begin = (): void => {
    isOver = false;
    void follow(PAYMENT, cell, runtime).then(() => void (isOver = true));
  };

  function answersOf(): Answers {
    let onTheWay = 0;
    let unknownSinceMs = -Infinity;
    const read = <R>(judge: (got: string | undefined) => Attempt<R>): Call<R> =>
      asking(network, shown, judge);
    return {
      submitPayment: () => (done) => {
        if (onTheWay > 0) throw new Error('sent again while it was on its way');
        if (agenda.nowMs() - unknownSinceMs < ABSENT_MS)
          throw new Error('sent again before it was long absent');
        onTheWay += 1;
        note(seen, 'submitted');
        asking(
          network,
          provider.submit,
          judged,
          true,
        )((attempt) => {
          onTheWay -= 1;
          if ('again' in attempt) unknownSinceMs = agenda.nowMs();
          done(attempt);
        });
      },
      findPayment: () => read((got) => ({ ok: got === undefined ? null : fetched(got) })),
      lookUpPayment: () => read((got) => (got === undefined ? { again: 'not_found' } : { ok: fetched(got) })),
      watchPayment: ({ shown: known }) =>
        read((got) =>
          got === undefined || got === known
            ? { again: 'nothing_new', afterMs: () => 60_000 }
            : { ok: fetched(got) },
        ),
    };
  }
  function judged(answer: Answered): Attempt<Fetched<PaymentSnapshot>> {
    note(seen, `answered ${answer}`);
    if (answer === '201') return { ok: fetched('created') };
    if (answer === '429') return { stop: { code: 'rate_limited', providerCodes: [], retryAfterMs: 2000 } };
    return { stop: { code: 'rejected', providerCodes: [answer], means: errorRow(answer)?.means } };
  }
  return {
    agenda,
    network,
    provider,
    seen,
    hadLongLag: false,
    state: cell.read,
    isOver: () => isOver,
    begin,
    restored: async () => {
      void HANDLERS.connectionRestored.take(cell, runtime, undefined);
      await settle();
    },
  };
}
