// The plot of `npm run demo -- float`: a week of a float account. It has payments, a refund, two unmatched credits of which one loses its
// notification, an entry that the provider loses, and a payment that the settlement report lacks. Then each day is compared, and the journal is read.
import { createApi } from '../../api/client.js';
import { ensureConsent } from '../../api/consent.js';
import { announced, eventually } from '../../api/waiting.js';
import { anAgreement } from '../../first-commands.js';
import { memoryOf } from '../memory.js';
import { createProvider } from '../provider.js';
import { CONNECTION, Difference, SOON_SECONDS, mustBe, pay, type LogStep, type Scene } from '../scene.js';
import {
  createFloatCalls,
  createOperator,
  type FloatCalls,
  type Operator,
  type UnmatchedCredit,
} from './calls.js';
import { floatReport, type Planned } from './report.js';
import type { Stack } from '../../stack/bring-up.js';
import type { Report } from '../report.js';

/** A credit without a notification becomes a case at once, and not after an hour. */
export const FLOAT_SETTINGS = { CREDIT_CASE_AFTER_MINUTES: '0' } as const;

const AGREEMENT = 'demo-float';
/** The sandbox's only float account. */
const ACCOUNT = '0195f1f0-7a11-7c00-8a00-f10a7acc0001';
const ABOUT = 'float account';
const DAY_SECONDS = 24 * 60 * 60;
const LIMIT_MS = 60_000;
const LOST_CENTS = 700;

interface Week extends Scene {
  calls: FloatCalls;
  operator: Operator;
  /** Seven days in Sydney, from Monday. */
  days: string[];
}

/** @throws Difference, or another error that ended the plot early. */
export async function performFloat(stack: Stack, logStep: LogStep, signal: AbortSignal): Promise<Report> {
  const operator = await createOperator(stack.temporalAddress ?? '');
  try {
    const week: Week = {
      api: createApi(stack.apiUrl, stack.apiKey, signal),
      provider: createProvider(stack.sandboxUrl ?? '', signal),
      calls: createFloatCalls(stack.apiUrl, stack.apiKey, signal),
      temporalAddress: stack.temporalAddress ?? '',
      ...{ logStep, operator, days: lastWeek(new Date()) },
    };
    await prepare(week);
    const planned = await live(week);
    await settle(week);
    const days = [];
    for (const day of week.days) {
      const [reconciliation, statement] = await Promise.all([
        week.calls.reconcile(day),
        week.calls.statement(ACCOUNT, day),
      ]);
      days.push({ day, reconciliation, statement });
    }
    const journal = await week.calls.journal(week.days[0] ?? '', week.days.at(-1) ?? '');
    return floatReport({ planned, days, journal, memory: await memoryOf(stack) });
  } finally {
    await operator.close();
  }
}

/** The days of the last week whose reports are all due, from Monday. */
function lastWeek(now: Date): string[] {
  const today = new Date(now.toLocaleDateString('en-CA', { timeZone: 'Australia/Sydney' }));
  const sinceMonday = (today.getUTCDay() + 6) % 7;
  return Array.from({ length: 7 }, (_, index) =>
    new Date(today.getTime() + (index - sinceMonday - 7) * DAY_SECONDS * 1000).toISOString().slice(0, 10),
  );
}

async function prepare({ api, provider, calls, operator, logStep, days }: Week): Promise<void> {
  await ensureConsent(api, CONNECTION);
  await provider.setClock(`${days[0] ?? ''}T00:00:00.000Z`);
  await operator.trigger(`sweep/${CONNECTION}`);
  const found = await eventually(
    () => calls.account(ACCOUNT),
    (account) => account?.state === 'followed',
    { what: `a sweep to find float account ${ACCOUNT}`, limitMs: LIMIT_MS },
  );
  logStep(ABOUT, 'found by a sweep; its entries are followed', found?.links.temporal_ui);
  await provider.scriptPayer(AGREEMENT, { simulate: 'debtor_accept' });
  const body = anAgreement({ uid: AGREEMENT, connection: CONNECTION, description: 'a week' });
  mustBe(`agreement ${AGREEMENT}`, 'active', await api.createAgreement(body, SOON_SECONDS));
  logStep(ABOUT, `the sandbox’s clock is set back to Monday, ${days[0] ?? ''}`);
}

/** One payment on each day, and something else on most of them. */
async function live(week: Week): Promise<Planned> {
  const { provider, logStep, days } = week;
  const uids = days.map((day) => `float-${day}`);
  const [, second = '', , fourth = ''] = uids;
  await provider.omitFromReport(fourth);
  const events: Readonly<Record<number, () => Promise<void>>> = {
    1: () => refund(week, second),
    2: async () => {
      await provider.payInto(ACCOUNT, 4_200, second);
      logStep(ABOUT, `a stranger paid 42.00 and named ${second}`);
    },
    4: () => paidUnheard(week, 1_500, 'Rent of July'),
    5: () => lost(week),
  };
  for (const [index, uid] of uids.entries()) {
    await pay(week, AGREEMENT, uid, 1_000 + index * 100);
    await events[index]?.();
    if (index < uids.length - 1) await provider.advance(DAY_SECONDS);
  }
  logStep(ABOUT, `a week passed; the settlement report will lack ${fourth}`);
  const account = await caughtUp(week);
  const cases = await decide(week, second);
  return {
    ...{ days, missingInReport: fourth, cases, closing: await balanceOf(week) },
    ...{ breaks: account.chain_breaks.length, lost: LOST_CENTS },
  };
}

async function refund({ calls, logStep }: Week, paymentUid: string): Promise<void> {
  const body = {
    uid: `${paymentUid}-refund`,
    refund_payment: {
      ...{ type: 'float_bank_payment' as const, float_bank_account_id: ACCOUNT, amount: 300 },
      description: 'REFUND one item',
    },
  };
  const made = mustBe('refund', 'processed', await calls.refund(paymentUid, body, SOON_SECONDS));
  logStep(`refund ${made.uid}`, 'processed, paid from the float account', made.links.temporal_ui);
}

async function paidUnheard({ provider, logStep }: Week, amount: number, text: string): Promise<void> {
  await provider.loseWebhooks(ACCOUNT);
  await provider.payInto(ACCOUNT, amount, text);
  await provider.clearFaults();
  logStep(ABOUT, `a stranger paid ${(amount / 100).toFixed(2)}; its notification was lost`);
}

/** The provider loses an entry before we read it, so the next one does not follow. */
async function lost(week: Week): Promise<void> {
  const { provider, logStep } = week;
  await caughtUp(week);
  await paidUnheard(week, LOST_CENTS, 'a payment without a trace');
  const entry = (await provider.ledger()).findLast(
    (line) => line.kind === 'change' && line.resource_uid === ACCOUNT && line.event_id !== null,
  );
  await provider.loseEntry(entry?.kind === 'change' ? (entry.event_id ?? '') : '');
  logStep(ABOUT, 'the provider lost the entry of that credit');
}

const balanceOf = async ({ provider }: Week): Promise<number> =>
  (await provider.state()).float_accounts.find(({ id }) => id === ACCOUNT)?.available_balance ?? NaN;

/** Waits until we have the newest entry. */
async function caughtUp(week: Week) {
  const expected = await balanceOf(week);
  await week.operator.readAgain(ACCOUNT);
  const account = await eventually(
    () => week.calls.account(ACCOUNT),
    (read) => read?.balance === expected,
    { what: `a balance of ${expected} cents`, limitMs: LIMIT_MS },
  );
  if (account === undefined) throw new Difference(ABOUT, 'followed', 'absent');
  return account;
}

/** The operator decides both cases: one by its best candidate, and one without. */
async function decide({ calls, logStep }: Week, paymentUid: string): Promise<UnmatchedCredit[]> {
  const open = await eventually(
    () => calls.credits(),
    (found) => found.filter(({ state }) => state === 'open').length === 2,
    { what: 'two unmatched credits with their entries', limitMs: LIMIT_MS },
  );
  const decided: UnmatchedCredit[] = [];
  for (const { uid, debtor } of open) {
    const { candidates } = await calls.credit(uid);
    const [best] = candidates ?? [];
    const body =
      best?.kind === 'payment' && best.reasons.includes('uid')
        ? { decision: 'matched' as const, payment_uid: best.uid, reason: 'The payer named it.' }
        : { decision: 'kept' as const, reason: 'The payer is known to the shop.' };
    if (body.decision === 'matched' && body.payment_uid !== paymentUid)
      throw new Difference(`unmatched credit ${uid}`, paymentUid, body.payment_uid);
    const made = await calls.resolve(uid, body);
    const how = debtor === null ? 'found by its entry, because its notification was lost' : 'notified';
    logStep('unmatched credit', `${how} → ${made.state}`, made.links.temporal_ui);
    decided.push(made);
  }
  return decided;
}

async function settle({ operator, calls, logStep, days }: Week): Promise<void> {
  await operator.trigger(`settlement/${CONNECTION}`);
  await announced(
    (line) => logStep('settlement', line),
    'waiting for the settlement reports of seven days',
    () =>
      eventually(
        async () => Promise.all(days.map((day) => calls.reconcile(day))),
        (all) => all.every(({ reports }) => reports.every(({ state }) => state === 'stored')),
        { what: 'the reports of all days', limitMs: LIMIT_MS },
      ),
  );
  logStep('settlement', 'the reports of all seven days are stored');
}
