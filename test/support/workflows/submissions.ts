import { ApplicationFailure, TimeoutFailure } from '@temporalio/common';
import { A_MANDATE, failure, fetchedAgreement, fetchedPayment, nothingNew } from './provider.js';
import { SECOND, inVirtualTime, type Scene } from './virtual.js';
import type { Activities } from '../../../activities/index.js';
import { aFact } from '../facts.js';
import type { RetryPolicy } from '../../../domain/payment/retry.js';

export const KINDS = ['payment', 'agreement'] as const;
type Kind = (typeof KINDS)[number];
export const EVENT: Readonly<Record<Kind, string>> = { payment: 'pending', agreement: 'suspension_failed' };
type Submitted = 'taken' | keyof typeof FAILURES;
type Found = 'there' | 'absent' | 'another' | 'forbidden' | 'away';

const putOff = (type: string, retryAfterMs: number) =>
  ApplicationFailure.create({ type, details: [{ providerCodes: [], retryAfterMs }] });
const FAILURES = {
  silence: failure('unavailable'),
  refused: failure('rejected', ['ZPANY17']),
  duplicate: failure('rejected', ['ZPANY00'], 'duplicate_uid'),
  forbidden: failure('forbidden'),
  rate_limited: putOff('rate_limited', 30_000),
  queued: putOff('queued', 7000),
  token_not_read: failure('token_not_read'),
  conflict: failure('conflict'),
  unmarked: new TimeoutFailure('', undefined, 'HEARTBEAT'),
};

export function scripted(kind: Kind, submissions: readonly Submitted[], finds: readonly Found[] = []) {
  const log: string[] = [];
  const nth = <T>(list: readonly T[], place: number): T | undefined => list[place] ?? list.at(-1);
  const seconds = (): number => Math.round((Date.parse(scene.now()) - begunMs) / SECOND);
  const asked = (what: 'submit' | 'find'): number => {
    log.push(`${seconds()} ${what}`);
    return log.filter((entry) => entry.endsWith(what)).length - 1;
  };
  const submit = async <T>(taken: () => T): Promise<T> => {
    const answer = nth(submissions, asked('submit')) ?? 'taken';
    await Promise.resolve();
    if (answer === 'taken') return taken();
    throw FAILURES[answer];
  };
  const find = async <T>(there: () => T, another: () => T): Promise<T | null> => {
    const answer = nth(finds, asked('find')) ?? 'absent';
    await Promise.resolve();
    if (answer === 'forbidden') throw failure('forbidden');
    if (answer === 'away') throw ApplicationFailure.create({ type: 'unavailable', nextRetryDelay: '10m' });
    if (answer === 'absent') return null;
    return answer === 'there' ? there() : another();
  };
  const activities: Partial<Activities> = {
    submitPayment: ({ uid }) => submit(() => fetchedPayment(uid, 'created')),
    createAgreement: ({ uid }) => submit(() => fetchedAgreement(uid, 'created')),
    findPayment: ({ uid }) =>
      find(
        () => fetchedPayment(uid, 'created', { amount: 4200 }),
        () => fetchedPayment(uid, 'created', { amount: 9900 }),
      ),
    findAgreement: ({ uid }) =>
      find(
        () => fetchedAgreement(uid, 'created'),
        () => other(uid),
      ),
    lookUpPayment: ({ uid }) => Promise.resolve(fetchedPayment(uid, 'created')),
    lookUpAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'created')),
  };
  const scene: Scene = inVirtualTime(activities);
  const begunMs = Date.parse(scene.now());
  return { scene, log, begin: () => followed(scene, kind) };
}

const other = (uid: string) => {
  const found = fetchedAgreement(uid, 'created');
  return { ...found, snapshot: { ...found.snapshot, mandate: { ...A_MANDATE, purpose: 'salary' } } };
};

async function followed(scene: Scene, kind: Kind) {
  const { state, view, receive, restored, growLong, runs, isOver } =
    kind === 'payment' ? await scene.payment() : await scene.agreement();
  return {
    submission: () => state().submission,
    flags: () => view().attention.map(({ code }) => code),
    detail: () => view().attention[0]?.detail,
    lifeState: () => view().state,
    awaiting: () => view().awaiting.what,
    receive,
    restored,
    growLong,
    runs,
    isOver,
  };
}

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
