// Three months of a plan with one payment each. We advance the clock of the agreement from one planned day to the next, but not the
// provider's: its access tokens would expire, and we do not refresh a new token again within one real minute.
import { fastForward } from '../skip-time.js';
import { Difference, SOON_SECONDS, mustBe, type Scene } from '../scene.js';
import { announced, eventually } from '../../api/waiting.js';
import type { Payment, PaymentCalls, Plan } from './calls.js';

export const AMOUNT = 4_200;
const DAY_MS = 86_400_000;
/** This long before the UTC day starts it is not yet nine in Sydney. A planned payment is requested between nine and ten. */
const BEFORE_DAWN_MS = 7_500_000;
const JUMP_SECONDS = 900;
const MOST_JUMPS = 12;
const STARTED_MS = 30_000;
/** Workers read the stops at least this often. */
const STOP_READ_MS = 5_500;

export interface Months {
  scene: Scene;
  calls: PaymentCalls;
  agreementUid: string;
  plan: Plan;
  /** The lead of the agreement's clock over ours. */
  aheadMs: number;
}

/** Monthly from the day after tomorrow, three times. */
export async function planned(scene: Scene, calls: PaymentCalls, agreementUid: string): Promise<Months> {
  const from = new Date(Date.now() + 2 * DAY_MS);
  const until = new Date(from);
  until.setUTCMonth(from.getUTCMonth() + 2);
  const schedule = { every: 'monthly', from: dayOf(from), until: dayOf(until), amount: AMOUNT } as const;
  const plan = await calls.putPlan(agreementUid, schedule);
  const dates = plan.upcoming.map(({ date }) => date);
  if (dates.length !== 3)
    throw new Difference(`the plan of ${agreementUid}`, 'three dates', dates.join(', ') || 'none');
  scene.logStep(`agreement ${agreementUid}`, `planned: ${AMOUNT} cents on each of ${dates.join(', ')}`);
  return { scene, calls, agreementUid, plan, aheadMs: 0 };
}

/** Skips days until the plan has requested the payment of the next month. */
async function nextMonth(before: Months): Promise<{ months: Months; payment: Payment }> {
  const { scene, calls, agreementUid, plan } = before;
  const taken = (await calls.getPlan(agreementUid)).log.length;
  const date = plan.upcoming[taken]?.date ?? '';
  const about = `agreement ${agreementUid}`;
  const skipped = `skipping the days until ${date}`;
  const { months, entry } = await announced(
    (line) => scene.logStep(about, line),
    skipped,
    () => skippedUntilTaken(before, { taken, date }),
  );
  if (entry.payment === null)
    throw new Difference(about, `a payment on ${date}`, entry.left_out?.detail ?? 'none');
  const payment = await calls.getPayment(entry.payment);
  scene.logStep(`payment on ${date}`, `requested by the plan: ${payment.uid}`, payment.links.temporal_ui);
  return { months, payment };
}

/** One jump to that morning, then short ones, so that the agreement's clock is at most one short jump ahead of the new payment's. */
async function skippedUntilTaken(
  before: Months,
  { taken, date }: { taken: number; date: string },
): Promise<{ months: Months; entry: Plan['log'][number] }> {
  const { calls, agreementUid } = before;
  const dawnMs = Date.parse(date) - BEFORE_DAWN_MS;
  let months = await skipped(before, Math.round((dawnMs - Date.now() - before.aheadMs) / 1000));
  for (let jump = 0; jump < MOST_JUMPS; jump += 1) {
    months = await skipped(months, JUMP_SECONDS);
    const [entry] = (await calls.getPlan(agreementUid)).log.slice(taken);
    if (entry !== undefined) return { months, entry };
  }
  throw new Difference(`agreement ${agreementUid}`, `a payment requested on ${date}`, 'none');
}

async function skipped(months: Months, seconds: number): Promise<Months> {
  const { scene, agreementUid, aheadMs } = months;
  await fastForward(scene.temporalAddress, `agreement/${agreementUid}`, seconds);
  return { ...months, aheadMs: aheadMs + seconds * 1000 };
}

/** A month whose payment settles. */
export async function settledMonth(before: Months): Promise<{ months: Months; payment: Payment }> {
  const { months, payment } = await nextMonth(before);
  const settled = mustBe('payment', 'settled', await before.calls.getPayment(payment.uid, SOON_SECONDS));
  before.scene.logStep(nameOf(settled), 'settled', settled.links.temporal_ui);
  return { months, payment: settled };
}

/** A month whose payment fails for insufficient funds, and settles after a retry. @param first the payment of the month before. */
export async function retriedMonth(
  before: Months,
  first: Payment,
): Promise<{ months: Months; payment: Payment }> {
  const { scene, calls, plan } = before;
  // A planned payment's uid ends with its date.
  const [then, now] = plan.upcoming.map(({ date }) => date.replaceAll('-', ''));
  const uid = first.uid.replace(new RegExp(`${then ?? ''}$`), now ?? '');
  await scene.provider.scriptPayment(uid, 'insufficient_funds');
  const { months, payment } = await nextMonth(before);
  const failed = mustBe('payment', 'failed', await calls.getPayment(payment.uid, SOON_SECONDS));
  const { code, retryable } = failed.failure ?? {};
  if (retryable !== true) throw new Difference(nameOf(failed), 'a retryable failure', String(code));
  scene.logStep(nameOf(failed), `failed with ${code ?? ''}, which is retryable`, failed.links.temporal_ui);
  await scene.provider.scriptPayment(uid, 'auto_settle');
  const again = mustBe('retried payment', 'settled', await calls.retry(uid, SOON_SECONDS));
  if (again.attempts.length !== 2)
    throw new Difference(nameOf(again), 'two attempts', `${again.attempts.length}`, again.links.temporal_ui);
  scene.logStep(nameOf(again), 'retried under the same uid → settled', again.links.temporal_ui);
  return { months, payment: again };
}

/** A month in which all payments are stopped. Its payment waits, shows that it waits, and resumes after the stop. */
export async function stoppedMonth(before: Months): Promise<{ months: Months; payment: Payment }> {
  const { scene, calls } = before;
  await calls.stop('Amounts look wrong since the last release.');
  scene.logStep('all payments', 'stopped by an operator; workers see it within five seconds');
  await new Promise((resolve) => setTimeout(resolve, STOP_READ_MS));
  const { months, payment } = await nextMonth(before);
  const waiting = await eventually(
    () => calls.getPayment(payment.uid),
    ({ awaiting }) => awaiting.what === 'stop',
    { what: `${nameOf(payment)} to wait for the stop to end`, limitMs: STARTED_MS },
  );
  const sent = await scene.provider.ledger();
  if (
    waiting.submissions !== 0 ||
    sent.some((entry) => 'resource_uid' in entry && entry.resource_uid === payment.uid)
  )
    throw new Difference(nameOf(waiting), 'not to be sent', `${waiting.submissions} submissions`);
  const [why = ''] = await calls.reasonsToStop();
  scene.logStep(nameOf(waiting), `waiting, not sent: “${why}”`, waiting.links.temporal_ui);
  await calls.resume('Corrected.');
  scene.logStep('all payments', 'resumed by an operator: waiting payments check again within a minute');
  const settled = await eventually(
    () => calls.getPayment(payment.uid, SOON_SECONDS),
    ({ state }) => state === 'settled',
    { what: `${nameOf(payment)} to settle after payments resumed`, limitMs: RESUMED_MS },
  );
  scene.logStep(nameOf(settled), 'resumed → settled', settled.links.temporal_ui);
  return { months, payment: settled };
}
const RESUMED_MS = 90_000;

const nameOf = ({ uid }: Payment): string => `payment ${uid.slice(-DATED)}`;
/** The end of a uid that distinguishes it from the others. */
const DATED = 'aaaa.20261124'.length;

const dayOf = (date: Date): string => date.toISOString().slice(0, 10);
