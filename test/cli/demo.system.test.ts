import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test, type TestContext } from 'vitest';
import { z } from 'zod';
import { openEndpoint } from '../../cli/demo/events.js';
import { performOnboarding } from '../../cli/demo/onboarding.js';
import { performPayments } from '../../cli/demo/payments/perform.js';
import { paymentsReport } from '../../cli/demo/payments/report.js';
import { findPackageRoot } from '../../temporal-server/binary/cache.js';
import { startStack } from '../support/browser/stack.js';
import type { Report as DemoReport } from '../../cli/demo/report.js';
import type { LogStep } from '../../cli/demo/scene.js';
import type { Stack } from '../../cli/stack/bring-up.js';

const Report = z.object({
  ok: z.literal(true),
  differences: z.array(z.string()).length(0),
  agreements: z.array(
    z.object({
      state: z.string(),
      state_at_provider: z.string(),
      learned_by: z.string(),
      payments: z.array(z.object({ state: z.string(), accepted_by_provider: z.int(), settlements: z.int() })),
    }),
  ),
  webhook_to_visible_ms: z.object({ samples: z.literal(100), p50: z.number(), p99: z.number() }),
  memory_mb: z.object({ api: z.number(), worker: z.number() }),
});

const PaymentsReport = Report.pick({ ok: true, differences: true, memory_mb: true }).extend({
  payments: z.array(
    z.object({
      state_at_provider: z.string(),
      attempts: z.int(),
      accepted: z.int(),
      settlements: z.int(),
      refunded: z.int(),
    }),
  ),
});

const OnboardingReport = Report.pick({ ok: true, differences: true }).extend({
  steps: z.array(z.object({ step: z.string(), state: z.string(), resource: z.string() })),
});

/** Runs the command itself, from source. */
async function reportOfCommand({ onTestFinished }: TestContext): Promise<unknown> {
  const temporary = await mkdtemp(join(tmpdir(), 'payto-test-demo-'));
  onTestFinished(() => rm(temporary, { recursive: true }));
  const demo = await execa('npm', ['run', '--silent', 'demo', '--', '--json'], {
    cwd: findPackageRoot(),
    reject: false,
    env: {
      TMPDIR: temporary,
      PAYMENTS_API_URL: 'https://provider.invalid',
      API_KEYS: 'none',
      TASK_QUEUE: 'elsewhere',
    },
  });
  expect(demo.exitCode, `${demo.stderr}\n${demo.stdout}`).toBe(0);
  expect((await readdir(temporary)).filter((name) => name.startsWith('payto-demo-'))).toEqual([]);
  return JSON.parse(demo.stdout);
}

/** Performs a plot on a stack of the build, which starts faster. */
async function reportOf(
  { onTestFinished, signal }: TestContext,
  plot: (stack: Stack, logStep: LogStep, signal: AbortSignal) => Promise<DemoReport>,
): Promise<unknown> {
  const stack = await startStack(onTestFinished);
  const endpoint = await openEndpoint(stack);
  onTestFinished(() => endpoint.close());
  const { json } = await endpoint.reportTo(await plot(stack, () => undefined, signal));
  return json;
}

test.concurrent(
  'npm run demo -- --json creates three agreements and settles each payment once',
  async (context) => {
    const { agreements } = Report.parse(await reportOfCommand(context));
    expect(agreements.map(({ state }) => state)).toEqual(['active', 'active', 'expired']);
    expect(agreements.map((agreement) => agreement.state_at_provider)).toEqual([
      'active',
      'active',
      'expired',
    ]);
    expect(agreements[1]?.learned_by).toBe('history');
    const payments = agreements.flatMap((agreement) => agreement.payments);
    expect(payments).toEqual(Array(3).fill({ state: 'settled', accepted_by_provider: 1, settlements: 1 }));
  },
);

test.concurrent('the plot of payments refunds, retries and stops planned payments', async (context) => {
  const performed = async (...given: Parameters<typeof performPayments>) =>
    paymentsReport(await performPayments(...given));
  const once = { state_at_provider: 'settled', accepted: 1, settlements: 1 };
  expect(PaymentsReport.parse(await reportOf(context, performed)).payments).toEqual([
    { ...once, attempts: 1, refunded: 1500 },
    { ...once, attempts: 2, refunded: 0 },
    { ...once, attempts: 1, refunded: 0 },
  ]);
});

test.concurrent(
  'the plot of onboarding finishes every step and settles the first payment',
  async (context) => {
    const { steps } = OnboardingReport.parse(await reportOf(context, performOnboarding));
    expect(steps.map(({ state }) => state)).toEqual(Array(5).fill('done'));
    expect(steps.at(-1)).toEqual({ step: 'first_payment', state: 'done', resource: 'settled' });
  },
);
