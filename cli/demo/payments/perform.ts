// The plot of `npm run demo -- payments`: a plan over three months with a retry, a partial refund and a temporary stop. Then it
// compares the provider's ledger with the workflows.
import { createApi } from '../../api/client.js';
import { ensureConsent } from '../../api/consent.js';
import { anAgreement } from '../../first-commands.js';
import { memoryOf } from '../memory.js';
import { createProvider } from '../provider.js';
import { CONNECTION, SOON_SECONDS, mustBe, type LogStep, type Scene } from '../scene.js';
import { auditPayments } from './audit.js';
import { createPaymentCalls, type Payment, type PaymentCalls, type Refund } from './calls.js';
import { AMOUNT, planned, retriedMonth, settledMonth, stoppedMonth } from './months.js';
import type { Stack } from '../../stack/bring-up.js';
import type { PaymentFindings } from './report.js';

const AGREEMENT = 'demo-plan';
const REFUNDED = 1_500;
/** The sandbox's only float account. */
const FLOAT_ACCOUNT = '0195f1f0-7a11-7c00-8a00-f10a7acc0001';

/** @throws Difference, or another error that ended the plot early. */
export async function performPayments(
  stack: Stack,
  logStep: LogStep,
  signal: AbortSignal,
): Promise<PaymentFindings> {
  const scene: Scene = {
    api: createApi(stack.apiUrl, stack.apiKey, signal),
    provider: createProvider(stack.sandboxUrl ?? '', signal),
    temporalAddress: stack.temporalAddress ?? '',
    logStep,
  };
  const calls = createPaymentCalls(stack.apiUrl, stack.apiKey, signal);
  await ensureConsent(scene.api, CONNECTION);
  await activate(scene);
  const plan = await planned(scene, calls, AGREEMENT);
  const first = await settledMonth(plan);
  const refund = await refunded(scene, calls, first.payment);
  const second = await retriedMonth(first.months, first.payment);
  const third = await stoppedMonth(second.months);
  const expected = [
    { uid: first.payment.uid, scenario: 'settles, then is partly refunded', attempts: 1, refunded: REFUNDED },
    { uid: second.payment.uid, scenario: 'fails, then is retried', attempts: 2, refunded: 0 },
    { uid: third.payment.uid, scenario: 'is stopped, then resumes', attempts: 1, refunded: 0 },
  ];
  return {
    audit: await auditPayments(scene.provider, calls, { payments: expected, refundUid: refund.uid }),
    memory: await memoryOf(stack),
    seconds: Math.round(performance.now() / 100) / 10,
  };
}

async function activate({ api, provider, logStep }: Scene): Promise<void> {
  await provider.scriptPayer(AGREEMENT, { simulate: 'debtor_accept' });
  const body = anAgreement({ uid: AGREEMENT, connection: CONNECTION, description: 'a plan' });
  const active = mustBe(`agreement ${AGREEMENT}`, 'active', await api.createAgreement(body, SOON_SECONDS));
  logStep(`agreement ${AGREEMENT}`, 'payer accepted → active', active.links.temporal_ui);
}

async function refunded({ logStep }: Scene, calls: PaymentCalls, { uid }: Payment): Promise<Refund> {
  const body = {
    uid: `${AGREEMENT}-refund-1`,
    refund_payment: {
      type: 'float_bank_payment',
      float_bank_account_id: FLOAT_ACCOUNT,
      amount: REFUNDED,
      description: 'REFUND part',
    },
  } as const;
  const refund = mustBe(`refund ${body.uid}`, 'processed', await calls.refund(uid, body, SOON_SECONDS));
  logStep(`refund ${refund.uid}`, `${REFUNDED} of ${AMOUNT} cents → processed`, refund.links.temporal_ui);
  return refund;
}
