// What each event does to a life.
import { HANDLERS as CONNECTIONS } from '../../workflows/connection/handlers.js';
import * as connections from '../../workflows/connection/state.js';
import { flagCancelRequest } from '../../workflows/engine/flags.js';
import * as payments from '../../workflows/payment/state.js';
import { addDays } from '../../domain/time/calendar.js';
import { sydneyDayOf } from '../../domain/time/sydney.js';
import { count } from './chronicle.js';
import { sweep } from './sweep.js';
import { asking, orderUnder, planOf, refundOf } from './terms.js';
import { INTENTS, WORKFLOWS, type Event } from './events.js';
import type { PaymentLifecycleState } from '../../domain/payment/lifecycle.js';
import type { Host } from './host.js';
import type { Life } from './life.js';

export function happen(life: Life, event: Event): void {
  life.note(() => `* ${JSON.stringify(event)}`);
  (HAPPEN[event.do] as (life: Life, event: Event) => void)(life, event);
}

type Happen = { [Do in Event['do']]: (life: Life, event: Extract<Event, { do: Do }>) => void };

/** The runs decide: the records of this world answer, and have no more than they. */
const NOTHING = 'nothing' as const;

const HAPPEN: Happen = {
  call: ({ wire }, { target, fault, ms }) => {
    wire.arm(target, { fault, ms });
  },
  webhook: (life, { afterMs }) => {
    life.nextWebhook(afterMs);
  },
  payer: ({ provider }, { move }) => {
    if (provider.canPayer(move)) provider.payer(move);
  },
  service: ({ provider }, { move }) => {
    if (provider.canService(move)) provider.service(move);
  },
  misreport: (life, { type }) => {
    const { agenda, provider } = life;
    if (provider.agreement() === undefined) return;
    fault(life, 'misreport');
    const atMs = agenda.nowMs();
    life.push(() => {
      life.receive({ id: `wrong-${atMs}`, type, publishedAtMs: atMs, atMs });
    });
  },
  ask: (life, { kind, max }) => {
    const key = `ask-${life.agenda.nowMs()}`;
    const { requestAction } = life.rules.handlers.agreement;
    life.agreement()?.update(requestAction, { key, command: asking(kind, max) }, () => undefined);
  },
  outcome: ({ provider }, { inMs, ends }) => {
    provider.plan({ inMs, ends });
  },
  pay: (life, { intent, uid, retries }) => {
    const name = `pay-${intent}-${uid}`;
    const use = { key: `key-${intent}`, uid: name, body: 'same' };
    const handling = retries > 0 ? { retry: { attempts: retries, everySeconds: 600 } } : undefined;
    const order = orderUnder(life.scenario.terms);
    const request = { uid: name, order, use, handling, by: 'shop', recorded: NOTHING };
    const { requestPayment } = life.rules.handlers.agreement;
    life.agreement()?.update(requestPayment, request, answered(life, name));
  },
  burst: (life, { payments: some }) => {
    for (let more = 1; more <= some; more += 1)
      HAPPEN.pay(life, { do: 'pay', intent: INTENTS + more, uid: 0, retries: 0 });
  },
  retry: (life) => {
    const [uid = '', host] = newestIn(life, 'failed') ?? [];
    // Its retry would ask the agreement of another system, which has no life here.
    if (life.isAnothers(uid)) return;
    const { retryPayment } = life.rules.handlers.payment;
    const request = { key: `retry-${life.agenda.nowMs()}`, by: 'shop' };
    host?.update(retryPayment, request, answered(life, `retry of ${uid}`), true);
  },
  refund: (life) => {
    const settled = newestIn(life, 'settled');
    if (settled === undefined) return;
    const [uid, host] = settled;
    const { requestRefund } = life.rules.handlers.payment;
    const request = { uid: `refund-${life.agenda.nowMs()}`, order: refundOf(uid), recorded: NOTHING };
    host.update(requestRefund, request, answered(life, request.uid), true);
  },
  reversal: (life) => {
    const [uid] = newestIn(life, 'settled') ?? [];
    const there = life.there.get(uid ?? '');
    if (there?.shown() !== 'settled') return;
    fault(life, 'reversal');
    there.reverse();
  },
  uid_of_another: (life, { intent, uid }) => {
    const name = `pay-${intent}-${uid}`;
    life.startAnothers(name);
    if (life.isAnothers(name)) fault(life, 'uid of another');
  },
  schedule: (life, { days, onMissed, onHoliday }) => {
    const today = sydneyDayOf(life.localNow());
    const plan = planOf(
      days.map((day) => addDays(today, day)),
      onMissed,
      onHoliday,
    );
    life.agreement()?.update(life.rules.handlers.agreement.putPlan, plan, answered(life, 'plan'));
  },
  follow: (life) => {
    const reporter = { workflowId: 'onboarding/life', wordRead: 'requested' };
    const { agreement, payment } = life.rules.handlers;
    life.agreement()?.signal(agreement.reportTo, reporter);
    for (const host of life.payments.values()) host.signal(payment.reportTo, reporter);
  },
  worker: (life, { fate }) => {
    if (life.workers.lose(fate === 'dies')) fault(life, `worker ${fate}`);
  },
  no_worker: (life, { of, forMs }) => {
    if (of === 'any') life.workers.lose(true);
    life.workers.leave(forMs);
    for (const workflow of of === 'any' ? WORKFLOWS : [])
      hostsOf(life, workflow).forEach((host) => {
        host.stall(forMs);
      });
    fault(life, 'no worker');
  },
  stall: (life, { workflow, ms }) => {
    const hosts = hostsOf(life, workflow);
    hosts.forEach((host) => {
      host.stall(ms);
    });
    if (hosts.length > 0) fault(life, 'stall');
  },
  backlog: ({ wire }, { ms, forMs }) => {
    wire.backlog(ms, forMs);
  },
  hand_over: (life, { workflow }) => {
    const hosts = hostsOf(life, workflow).filter((host) => !host.isOver());
    hosts.forEach((host) => {
      host.handOver();
    });
    if (hosts.length > 0) fault(life, 'hand-over');
  },
  forgotten: (life, { of, isTerminated }) => {
    const { payments: known, refunds } = life;
    const hosts = {
      agreement: hostsOf(life, 'agreement'),
      payment: known.values(),
      refund: refunds.values(),
    };
    const some = [...hosts[of]].filter((host) => host.forget(isTerminated));
    if (some.length > 0) fault(life, isTerminated ? 'state lost' : `forgotten ${of}`);
  },
  clock: (life, { ms }) => {
    life.turnClock(ms);
    fault(life, 'clock jump');
  },
  cancel_request: (life, { workflow }) => {
    requestCancel(life, workflow);
    fault(life, 'cancel request');
  },
  consent: (life, { by }) => {
    if (by === 'given') return consents(life);
    fault(life, `consent ${by}`);
    if (by === 'taken') life.authority.takeAway();
    else if (by === 'narrowed') life.authority.narrow();
    else
      life.connection.update(
        CONNECTIONS.revokeConnection,
        { by: 'ops', reason: 'requested' },
        () => undefined,
      );
  },
  lag: ({ wire }, { ms, forMs }) => {
    wire.lag(ms, forMs);
  },
  limit: (life, { forMs, code }) => {
    life.limitUntil(life.agenda.nowMs() + forMs, code);
  },
  outage: ({ wire }, { forMs, fault: how }) => {
    wire.outage(forMs, how);
  },
  stop: ({ wire }, { forMs }) => {
    wire.stop(forMs);
  },
  refresh: ({ connection }) => {
    const after = connections.generationOf(connection.state());
    connection.update(CONNECTIONS.ensureGeneration, { after }, () => undefined);
  },
  foreign_payment: (life) => {
    if (life.provider.agreement()?.state === 'active') life.startForeign();
  },
  redelivery: (life, { which }) => {
    const event = life.provider.history()[which];
    if (event === undefined) return;
    fault(life, 'redelivery');
    life.receive(event);
  },
  interrupt: (life, { do: _do, ...by }) => {
    if (life.workers.interrupt(by)) fault(life, `attempt ${by.by}`);
  },
  look_up: ({ agreement, payments: known, rules: { handlers } }, { of }) => {
    if (of === undefined) agreement()?.update(handlers.agreement.lookUpNow, undefined, () => undefined);
    else
      for (const payment of known.values())
        payment.update(handlers.payment.lookUpNow, undefined, () => undefined);
  },
  sweep: (life) => {
    sweep(life);
  },
};

const newestIn = (life: Life, state: PaymentLifecycleState) =>
  [...life.payments].findLast(([, host]) => payments.stateOf(host.state()) === state);

const answered =
  ({ note }: Life, what: string) =>
  (answer: unknown): void => {
    note(() => `${what}: ${answer instanceof Error ? answer.message : 'admitted'}`);
  };

export function consents({ connection, note }: Life): void {
  note(() => 'the merchant consents');
  connection.update(CONNECTIONS.beginConsent, {}, (round) => {
    if (round instanceof Error) return;
    const use = { ...round, browser: 'a browser' };
    connection.update(CONNECTIONS.useTicket, use, () => {
      connection.update(CONNECTIONS.completeConsent, { ...use, sealedCode: 'code' }, () => undefined);
    });
  });
}

function fault({ chronicle }: Life, name: string): void {
  count(chronicle, `fault ${name}`);
  chronicle.faults += 1;
}

function requestCancel(life: Life, workflow: string): void {
  const { agreement, connection, localNow, payments: known, refunds } = life;
  const flag = flagCancelRequest('Nothing.');
  const now = localNow();
  if (workflow === 'agreement') agreement()?.change((state) => flag(state, now));
  else if (workflow === 'connection') connection.change((state) => flag(state, now));
  else {
    for (const host of known.values()) host.change((state) => flag(state, now));
    for (const host of refunds.values()) host.change((state) => flag(state, now));
  }
}

type AnyHost = Pick<Host<unknown>, 'stall' | 'handOver' | 'isOver' | 'forget'>;

function hostsOf({ agreement, connection, payments: known, refunds }: Life, workflow: string): AnyHost[] {
  if (workflow === 'connection') return [connection];
  const host = agreement();
  if (workflow === 'agreement') return host === undefined ? [] : [host];
  return [...known.values(), ...refunds.values()];
}
