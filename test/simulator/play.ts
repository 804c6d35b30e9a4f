import { failureCountOf } from '../../workflows/agreement/consecutive-failures.js';
import { HANDLERS as CONNECTIONS } from '../../workflows/connection/handlers.js';
import * as connections from '../../workflows/connection/state.js';
import { flagCancelRequest } from '../../workflows/engine/flags.js';
import * as payments from '../../workflows/payment/state.js';
import { addDays } from '../../domain/time/calendar.js';
import { sydneyDayOf } from '../../domain/time/sydney.js';
import { count } from './chronicle.js';
import { createLife } from './life.js';
import { dueDatesOf } from './planned.js';
import { refundedOf } from './refund-provider.js';
import { livePaymentsOf, standingsOf } from './standings.js';
import { takingsOf } from './takings.js';
import { sweep } from './sweep.js';
import { asking, orderUnder, planOf, refundOf } from './terms.js';
import type { PaymentLifecycleState } from '../../domain/payment/lifecycle.js';
import type { Chronicle } from './chronicle.js';
import type { Host } from './host.js';
import type { Life } from './life.js';
import type { Rules } from './rules.js';
import { INTENTS, STORIES } from './events.js';
import type { Event, Scenario } from './events.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MOST_STEPS = 3000;

export async function play(scenario: Scenario, rules: Rules, isPrinted = false): Promise<Chronicle> {
  const life = createLife(scenario, rules, isPrinted);
  try {
    await begin(life);
    let atMs = 0;
    for (const { atMs: nextMs, event } of scenario.events) {
      await life.agenda.pass(nextMs - atMs);
      atMs = nextMs;
      happen(life, event);
      await life.agenda.settle();
      if (life.chronicle.steps > MOST_STEPS) break;
    }
    await calmDown(life);
  } catch (error) {
    if (!(error instanceof Endless)) throw error;
    life.chronicle.isEndless = true;
  }
  return life.chronicle;
}

class Endless extends Error {}

async function begin(life: Life): Promise<void> {
  const { agenda, provider, scenario } = life;
  if (scenario.isNew) consents(life);
  await agenda.pass(SECOND);
  if (scenario.beginsAs === 'ours') life.start();
  else provider.create();
  if (scenario.isAccepted)
    agenda.after(2 * SECOND, () => {
      if (provider.canPayer('accept')) provider.payer('accept');
    });
}

function consents({ connection, note }: Life): void {
  note(() => 'the merchant consents');
  connection.update(CONNECTIONS.beginConsent, {}, (round) => {
    if (round instanceof Error) return;
    const use = { ...round, browser: 'a browser' };
    connection.update(CONNECTIONS.useTicket, use, () => {
      connection.update(CONNECTIONS.completeConsent, { ...use, sealedCode: 'code' }, () => undefined);
    });
  });
}

type Happen = { [Do in Event['do']]: (life: Life, event: Extract<Event, { do: Do }>) => void };

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
    const request = { uid: name, order: orderUnder(life.scenario.terms), use, handling };
    const { requestPayment } = life.rules.handlers.agreement;
    life.agreement()?.update(requestPayment, request, answered(life, name));
  },
  burst: (life, { payments: some }) => {
    for (let more = 1; more <= some; more += 1)
      HAPPEN.pay(life, { do: 'pay', intent: INTENTS + more, uid: 0, retries: 0 });
  },
  retry: (life) => {
    const [uid, host] = newestIn(life, 'failed') ?? [];
    const { retryPayment } = life.rules.handlers.payment;
    const request = { key: `retry-${life.agenda.nowMs()}`, by: 'shop' };
    host?.update(retryPayment, request, answered(life, `retry of ${uid}`), true);
  },
  refund: (life) => {
    const settled = newestIn(life, 'settled');
    if (settled === undefined) return;
    const [uid, host] = settled;
    const { requestRefund } = life.rules.handlers.payment;
    const request = { uid: `refund-${life.agenda.nowMs()}`, order: refundOf(uid) };
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
  schedule: (life, { days, onMissed }) => {
    const today = sydneyDayOf(life.localNow());
    const plan = planOf(
      days.map((day) => addDays(today, day)),
      onMissed,
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
    for (const story of of === 'any' ? STORIES : [])
      hostsOf(life, story).forEach((host) => {
        host.stall(forMs);
      });
    fault(life, 'no worker');
  },
  stall: (life, { story, ms }) => {
    const hosts = hostsOf(life, story);
    hosts.forEach((host) => {
      host.stall(ms);
    });
    if (hosts.length > 0) fault(life, 'stall');
  },
  backlog: ({ wire }, { ms, forMs }) => {
    wire.backlog(ms, forMs);
  },
  hand_over: (life, { story }) => {
    const hosts = hostsOf(life, story).filter((host) => !host.isOver());
    hosts.forEach((host) => {
      host.handOver();
    });
    if (hosts.length > 0) fault(life, 'hand-over');
  },
  clock: (life, { ms }) => {
    life.turnClock(ms);
    fault(life, 'clock jump');
  },
  cancel_request: (life, { story }) => {
    requestCancel(life, story);
    fault(life, 'cancel request');
  },
  consent: (life, { by }) => {
    if (by === 'given') return consents(life);
    fault(life, `consent ${by}`);
    if (by === 'taken') life.authority.takeAway();
    else if (by === 'narrowed') life.authority.narrow();
    else
      life.connection.update(CONNECTIONS.revokeConnection, { by: 'ops', reason: 'asked' }, () => undefined);
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
  renewal: ({ connection }) => {
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
  look_up: (life) => {
    life.agreement()?.update(life.rules.handlers.agreement.lookUpNow, undefined, () => undefined);
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

function happen(life: Life, event: Event): void {
  life.note(() => `* ${JSON.stringify(event)}`);
  (HAPPEN[event.do] as (life: Life, event: Event) => void)(life, event);
}

function fault({ chronicle }: Life, name: string): void {
  count(chronicle, `fault ${name}`);
  chronicle.faults += 1;
}

function requestCancel(life: Life, story: string): void {
  const { agreement, connection, localNow, payments: known, refunds } = life;
  const flag = flagCancelRequest('Nothing.');
  const now = localNow();
  if (story === 'agreement') agreement()?.change((state) => flag(state, now));
  else if (story === 'connection') connection.change((state) => flag(state, now));
  else {
    for (const host of known.values()) host.change((state) => flag(state, now));
    for (const host of refunds.values()) host.change((state) => flag(state, now));
  }
}

type AnyHost = Pick<Host<unknown>, 'stall' | 'handOver' | 'isOver'>;

function hostsOf({ agreement, connection, payments: known, refunds }: Life, story: string): AnyHost[] {
  if (story === 'connection') return [connection];
  const host = agreement();
  if (story === 'agreement') return host === undefined ? [] : [host];
  return [...known.values(), ...refunds.values()];
}

async function calmDown(life: Life): Promise<void> {
  const { agenda, agreement, connection, wire, chronicle } = life;
  await agenda.pass(life.workers.awayMs());
  wire.calm();
  life.limitUntil(agenda.nowMs());
  for (const ms of [10 * MINUTE, 4 * HOUR, 4 * HOUR]) {
    if (needsConsent(life)) consents(life);
    await passing(life, MINUTE);
    if (life.provider.canPayer('accept')) life.provider.payer('accept');
    sweep(life);
    await passing(life, ms);
  }
  const before = wire.sent();
  await passing(life, DAY);
  chronicle.requestsAtTheEnd = wire.sent() - before;
  chronicle.isConnectionHealthy = connection.state().status === 'healthy';
  chronicle.standings = standingsOf(life);
  chronicle.livePayments = livePaymentsOf(life);
  chronicle.takings = takingsOf(life);
  chronicle.dueDates = dueDatesOf(life);
  const { failures, suspensions } = life.scheme;
  chronicle.suspensions = suspensions;
  chronicle.failures = { here: failureCountOf(agreement()?.state() ?? {}), there: failures };
  chronicle.refunded = refundedOf(life.refundsThere.values());
}

const needsConsent = ({ authority, connection }: Life): boolean =>
  connection.state().status !== 'healthy' || authority.lacksScope() || !authority.isGranted();

async function passing(life: Life, ms: number): Promise<void> {
  await life.agenda.pass(ms);
  if (life.chronicle.steps > MOST_STEPS) throw new Endless();
}
