import { ApplicationFailure } from '@temporalio/common';
import { aFact } from '../facts.js';
import { fetchedPayment, nothingNew } from './provider.js';
import { SECOND, inVirtualTime } from './virtual.js';
import type { Activities } from '../../../activities/index.js';
import type { RetryPolicy } from '../../../domain/payment/retry.js';

export const MINUTE = 60 * SECOND;
export const accepted: Activities['retryPayment'] = () => Promise.resolve('accepted');
export const rejected = (code: string, retryAfterMs?: number) => () =>
  Promise.reject(
    ApplicationFailure.create({
      type: 'rejected',
      nonRetryable: true,
      details: [{ providerCodes: [code], means: 'limit', retryAfterMs }],
    }),
  );

export async function failed(
  retryPayment: Activities['retryPayment'],
  {
    shows = () => 'failed',
    retry,
    isStopped = () => false,
  }: { shows?: () => string; retry?: RetryPolicy; isStopped?: () => boolean } = {},
) {
  let hasFailed = false;
  const shown = () => (hasFailed ? shows() : 'created');
  const read = ({ uid }: { uid: string }) => Promise.resolve(fetchedPayment(uid, shown()));
  const scene = inVirtualTime({
    submitPayment: ({ uid }) => Promise.resolve(fetchedPayment(uid, 'created')),
    retryPayment,
    awaitResumption: () => (isStopped() ? Promise.reject(nothingNew(MINUTE)) : Promise.resolve()),
    findPayment: read,
    lookUpPayment: read,
    watchPayment: ({ uid, snapshotState, snapshotStateUntil }) =>
      shown() === snapshotState && !(snapshotStateUntil !== undefined && scene.now() >= snapshotStateUntil)
        ? Promise.reject(ApplicationFailure.create({ type: 'nothing_new', nextRetryDelay: MINUTE }))
        : read({ uid }),
  });
  const life = await scene.payment({ handling: retry && { retry } });
  const fail = (code: string) =>
    aFact('failed', {
      publishedAt: scene.now(),
      receivedAt: scene.now(),
      detail: { failure: { code, retryable: true } },
    });
  await scene.pass(SECOND);
  hasFailed = true;
  await life.receive(fail('AM04'));
  const sendings = () => scene.calls.filter((call) => call === 'retryPayment').length;
  return { scene, life, sendings, fail };
}
