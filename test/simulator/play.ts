import { failureCountOf } from '../../workflows/agreement/consecutive-failures.js';
import { createLife, type Life } from './life.js';
import { dueDatesOf } from './planned.js';
import { refundedOf } from './refund-provider.js';
import { livePaymentsOf, statusesOf } from './statuses.js';
import { takingsOf } from './takings.js';
import { sweep } from './sweep.js';
import { happen, consents } from './happen.js';
import type { Chronicle } from './chronicle.js';
import type { Rules } from './rules.js';
import type { Scenario } from './events.js';

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
  // A planned payment, or a retry by policy, may have started just now. Its search at the provider takes minutes.
  if ([...life.payments.values()].some((host) => agenda.nowMs() - host.changedAtMs() < 10 * MINUTE))
    await passing(life, HOUR);
  chronicle.isConnectionHealthy = connection.state().status === 'healthy';
  chronicle.statuses = statusesOf(life);
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
