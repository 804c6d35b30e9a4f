import {
  lookUpNow,
  paymentFact,
  resolveAttention,
  withdrawPayment,
} from '../../workflows/payment/contract.js';
import { aFact } from '../support/facts.js';
import { skipTime, type Temporal } from '../support/temporal.js';
import { ACTIVE_AT_ONCE, failure, fetchedPayment } from '../support/workflows/provider.js';
import { startPayment, startPaymentUnderAgreement, untilPayment } from '../support/workflows/runs.js';
import { decide, later, onceStopped } from './lives.js';
import { accepted, untilAccepted } from './payment-scripts.js';
import type { WorkflowHandle } from '@temporalio/client';
import type { Activities } from '../../activities/index.js';
import type { payment } from '../../workflows/index.js';
import type { Scripts, Script } from './script.js';

type Handle = WorkflowHandle<typeof payment>;

const FAILED = { detail: { failure: { code: 'AM04', retryable: true } } };
const BY_POLICY = { handling: { retry: { attempts: 1, everySeconds: 60 } } };
const triedAgain: typeof startPayment = (temporal) => startPaymentUnderAgreement(temporal, BY_POLICY);
const unanswered: Partial<Activities> = { submitPayment: () => Promise.reject(failure('unavailable')) };
const absent: Partial<Activities> = { ...unanswered, findPayment: () => Promise.resolve(null) };
const shows =
  (state: string) =>
  ({ uid }: { uid: string }) =>
    Promise.resolve(fetchedPayment(uid, state));

const ending = (
  activities: Partial<Activities>,
  live: (handle: Handle, temporal: Temporal) => Promise<unknown>,
  start: typeof startPayment = startPayment,
): Script => ({
  activities: { ...accepted, ...activities },
  live: async (temporal) => {
    const handle = await start(temporal);
    await live(handle, temporal);
    await handle.result();
    return [handle];
  },
});

const awaits = (handle: Handle, waiting: string) =>
  untilPayment(handle, ({ awaiting }) => awaiting.what === waiting);

async function parked(handle: Handle, { client }: Temporal): Promise<void> {
  await skipTime(client, handle.workflowId);
  await awaits(handle, 'operator');
  await skipTime(client, handle.workflowId, false);
}

async function failed(handle: Handle): Promise<void> {
  await untilAccepted(handle);
  await handle.signal(paymentFact, aFact('failed', FAILED));
  await awaits(handle, 'retry');
}

const settled = (handle: Handle): Promise<void> => handle.signal(paymentFact, later('settled'));

const kept = (): Partial<Activities> =>
  onceStopped((onceResumed) => ({ submitPayment: onceResumed(shows('created')) }));

export const ATTEMPT_SCRIPTS: Scripts = {
  'payment-retried-by-policy': ending(
    { ...ACTIVE_AT_ONCE, retryPayment: () => Promise.resolve('accepted') },
    async (handle, { client }) => {
      await failed(handle);
      await skipTime(client, handle.workflowId);
      await untilPayment(
        handle,
        ({ attempts, awaiting }) => attempts.length === 2 && awaiting.what === 'settlement',
      );
      await settled(handle);
    },
    triedAgain,
  ),
  'payment-looked-up': ending({ lookUpPayment: shows('settled') }, async (handle) => {
    await untilAccepted(handle);
    await handle.executeUpdate(lookUpNow);
  }),
  'payment-of-which-nothing-is-notified': ending({ watchPayment: shows('settled') }, () => Promise.resolve()),
  'payment-withdrawn-while-consent-was-awaited': ending(
    { submitPayment: () => Promise.reject(failure('needs_reauthorisation')) },
    async (handle) => {
      await awaits(handle, 'reauthorisation');
      await handle.executeUpdate(withdrawPayment, { args: [{ reason: 'not wanted', by: 'shop' }] });
    },
  ),
  'payment-kept-back-by-a-stop': {
    activities: { ...ACTIVE_AT_ONCE, ...kept() },
    live: async (temporal) => {
      const handle = await startPaymentUnderAgreement(temporal);
      await untilAccepted(handle);
      await settled(handle);
      await handle.result();
      return [handle];
    },
  },
  'payment-parked-then-looked-up-then-unresolved': ending(absent, async (handle, temporal) => {
    await parked(handle, temporal);
    await handle.executeUpdate(lookUpNow);
    await handle.executeUpdate(resolveAttention, { args: [decide('close')] });
  }),
};
