import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createGateway } from '../../../../api/gateway/create.js';
import { ApiError } from '../../../../api/http/problems/errors.js';
import { olderFacts, placeOf } from '../../../../domain/facts/timeline.js';
import { AGREEMENT_UID, CONNECTION_ID } from '../../../../workflows/entity/search-attributes.js';
import { eventually } from '../../../support/temporal.js';
import { failure, only } from '../../../support/workflows/provider.js';
import { aFact } from '../../../support/api/builders.js';
import { useDoor } from '../../../support/api/gateway.js';
import type { Fact } from '../../../../domain/facts/fact.js';
import type { HistoryQuestion } from '../../../../workflows/history/contract.js';

const at = (second: number): Fact =>
  aFact({ id: `f-${second}`, publishedAt: new Date(Date.UTC(2026, 9, 1) + second * 1000).toISOString() });
const HISTORY = Array.from({ length: 10 }, (_, second) => at(second));

const script = new Map<string, (() => Promise<never>)[]>();
const asked: string[] = [];
const provider = only({
  readAgreementHistory: ({ uid, ...question }) => {
    asked.push(uid);
    return script.get(uid)?.shift()?.() ?? Promise.resolve(olderFacts(HISTORY, question));
  },
});
const { temporal, withDoor } = useDoor(provider);

const aQuestion = (over: Partial<HistoryQuestion> = {}): HistoryQuestion => ({
  uid: `agr-${randomUUID()}`,
  connectionId: 'acme',
  before: placeOf(at(9)),
  stored: ['f-7', 'f-8', 'f-9'],
  ...over,
});
const timesAsked = ({ uid }: HistoryQuestion): number => asked.filter((other) => other === uid).length;
const runsOf = ({ uid }: HistoryQuestion) =>
  temporal.client.workflow.list({ query: `AgreementUid = '${uid}'` });
const gathered = async <T>(list: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const one of list) all.push(one);
  return all;
};
const refused = async (call: Promise<unknown>): Promise<ApiError> => {
  const met: unknown = await call.catch((error: unknown) => error);
  if (!(met instanceof ApiError)) throw new Error(`expected an ApiError, received ${JSON.stringify(met)}`);
  return met;
};

function withholdAnswer({ uid }: HistoryQuestion): () => void {
  let release = (): void => undefined;
  const withheld = new Promise<never>((_, reject) => (release = () => reject(failure('unavailable'))));
  script.set(uid, [() => withheld]);
  return () => release();
}

describe('older facts', () => {
  test('are read once for identical requests, whether concurrent or sequential', async () => {
    await withDoor(async ({ agreements }) => {
      const question = aQuestion();
      const together = await Promise.all([1, 2, 3].map(() => agreements.older(question)));
      const later = await agreements.older(question);
      for (const answer of [...together, later]) {
        expect(answer).toEqual({ facts: HISTORY.slice(0, 7), isLast: true });
      }
      expect(timesAsked(question)).toBe(1);
      await agreements.older({ ...question, since: placeOf(at(3)) });
      expect(timesAsked(question)).toBe(2);
      await eventually(
        () => gathered(runsOf(question)),
        ({ length }) => length === 2,
      );
    });
  });

  test('are read by a workflow that has details and is not listed as an agreement', async () => {
    await withDoor(async ({ agreements }, connection) => {
      const question = aQuestion({ connectionId: connection });
      const release = withholdAnswer(question);
      const reading = agreements.older(question);
      const [run] = await eventually(
        () => gathered(runsOf(question)),
        ({ length }) => length === 1,
      );
      expect(run).toMatchObject({ type: 'history', status: { name: 'RUNNING' } });
      expect(run?.workflowId).toMatch(new RegExp(`^history/${question.uid}/[0-9a-f]{32}$`));
      expect(run?.typedSearchAttributes.get(AGREEMENT_UID)).toBe(question.uid);
      expect(run?.typedSearchAttributes.get(CONNECTION_ID)).toBe(connection);
      const handle = temporal.client.workflow.getHandle(run?.workflowId ?? '');
      const Metadata = z.object({ currentDetails: z.string() });
      const words = async () =>
        Metadata.parse(await handle.query('__temporal_workflow_metadata')).currentDetails;
      expect(await eventually(words, (seen) => seen !== '')).toContain(
        `### Older facts of agreement ${question.uid}`,
      );
      expect(await words()).toContain('**Reading.');
      expect(await agreements.list({ per_page: 20, connection })).toMatchObject({ items: [] });
      expect(await agreements.view(question.uid)).toBeUndefined();
      release();
      await refused(reading);
      expect(await words()).toContain('**Not read: unavailable.');
    });
  });

  test.each([
    ['needs_reauthorisation', { providerCodes: [] }, 'needs_reauthorisation', undefined],
    [
      'forbidden',
      { status: 403, providerCodes: [], requiredScope: 'pay_to_agreements' },
      'consent_lacks_scope',
      { status: 403, codes: [], retryable: false },
    ],
    [
      'not_found',
      { status: 404, providerCodes: ['ZPX00'] },
      'provider_refused',
      { status: 404, codes: ['ZPX00'], retryable: false },
    ],
    [
      'rejected',
      { status: 422, providerCodes: [] },
      'provider_refused',
      { status: 422, codes: [], retryable: false },
    ],
    [
      'conflict',
      { status: 409, providerCodes: [] },
      'provider_refused',
      { status: 409, codes: [], retryable: false },
    ],
    [
      'unavailable',
      { status: 503, providerCodes: ['ZPADD98'] },
      'provider_unavailable',
      { status: 503, codes: ['ZPADD98'], retryable: true },
    ],
    ['queued', { providerCodes: [] }, 'provider_unavailable', undefined],
    ['an unknown code', { providerCodes: [] }, 'provider_unavailable', undefined],
  ] as const)(
    'are read again by the next request after the failure %s',
    async (type, detail, code, upstream) => {
      await withDoor(async ({ agreements }) => {
        const question = aQuestion();
        const no = ApplicationFailure.create({ type, nonRetryable: true, details: [detail] });
        script.set(question.uid, [() => Promise.reject(no)]);
        const problem = await refused(agreements.older(question));
        expect(problem).toMatchObject({ code, upstream });
        if (type === 'forbidden') expect(problem.detail).toMatch(/pay_to_agreements.*reauthorisation/);
        expect(await agreements.older(question)).toMatchObject({ isLast: true });
        expect(timesAsked(question)).toBe(2);
      });
    },
  );

  test('are retried after a temporary provider failure, and not after a refusal', async () => {
    await withDoor(async ({ agreements }) => {
      const question = aQuestion();
      const stumbled = ApplicationFailure.create({ type: 'unavailable', details: [{ providerCodes: [] }] });
      script.set(question.uid, [() => Promise.reject(stumbled)]);
      expect((await agreements.older(question)).facts).toHaveLength(7);
      expect(timesAsked(question)).toBe(2);
      for (const type of ['rejected', 'not_found', 'conflict', 'client_refused']) {
        const other = aQuestion();
        const decided = ApplicationFailure.create({ type, details: [{ status: 400, providerCodes: [] }] });
        script.set(other.uid, [() => Promise.reject(decided)]);
        expect(await refused(agreements.older(other))).toMatchObject({ code: 'provider_refused' });
        expect(timesAsked(other)).toBe(1);
      }
    });
  });

  test('fail within a time limit with the code of the provider or worker', async () => {
    const withoutWorker = createGateway(temporal.client, `nobody-${randomUUID()}`).agreements;
    const noWorker = refused(withoutWorker.older(aQuestion()));
    await withDoor(async ({ agreements }) => {
      const question = aQuestion();
      const release = withholdAnswer(question);
      expect(await refused(agreements.older(question))).toMatchObject({ code: 'provider_unavailable' });
      release();
    });
    expect(await noWorker).toMatchObject({ code: 'worker_unavailable' });
  });
});
