import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { expect, test } from 'vitest';
import { needsReauthorisation } from '../../../activities/failure.js';
import { findOwner, type Candidate } from '../../../activities/resource/find-owner.js';
import { PaymentsApiError } from '../../../payments-api/errors.js';
import { unanswered } from '../../support/workflows/virtual.js';

const MANY = 1000;
const notFound = () => new PaymentsApiError('not_found', 'no', { status: 404 });
const connections = (count: number): Candidate[] =>
  Array.from({ length: count }, (_, index) => ({ id: `con-${1000 + index}`, hasConsent: true }));

function anAttempt(candidates: Candidate[], ask: (id: string) => Promise<object>, left?: unknown) {
  const environment = new MockActivityEnvironment(left === undefined ? {} : { heartbeatDetails: left }, {
    logger: new DefaultLogger('ERROR'),
  });
  const heartbeats: unknown[] = [];
  environment.on('heartbeat', (details: unknown) => void heartbeats.push(details));
  const ended = environment.run(findOwner, candidates, ask).catch((error: unknown) => error);
  return { ended, heartbeats, environment };
}

test('an interrupted search resumes and queries each connection once', async () => {
  const asked: string[] = [];
  const gate = unanswered<never>();
  const { ended, environment, heartbeats } = anAttempt(connections(MANY), (id) =>
    asked.push(id) <= 320 ? Promise.reject(notFound()) : gate.answer,
  );
  await expect.poll(() => asked.length).toBe(330);
  const count = heartbeats.length;
  await expect.poll(() => heartbeats.length, { timeout: 5000 }).toBeGreaterThan(count);
  const left = heartbeats.at(-1);
  environment.cancel();
  gate.fail(notFound());
  expect(await ended).toBeInstanceOf(CancelledFailure);
  const before = asked.splice(0);
  const next = anAttempt(
    connections(MANY),
    (id) => {
      asked.push(id);
      return id === 'con-1990' ? Promise.resolve({ shows: 'it' }) : Promise.reject(notFound());
    },
    left,
  );
  expect(await next.ended).toEqual({ shows: 'it', owner: 'con-1990' });
  expect(asked[0]).toBe('con-1320');
  expect(new Set([...before, ...asked]).size).toBe(MANY);
});

test('at most ten connections are queried concurrently', async () => {
  let underWay = 0;
  let most = 0;
  const { ended } = anAttempt(connections(100), async () => {
    underWay += 1;
    most = Math.max(most, underWay);
    await Promise.resolve();
    underWay -= 1;
    throw notFound();
  });
  expect(await ended).toMatchObject({ type: 'nothing_new' });
  expect(most).toBe(10);
});

test('connections without consent are skipped and listed, and the next round starts at the first', async () => {
  const asked: string[] = [];
  const candidates = connections(3).map((one, index) => ({ ...one, hasConsent: index !== 0 }));
  const ask = (id: string): Promise<object> => {
    asked.push(id);
    return Promise.reject(id === 'con-1001' ? needsReauthorisation(id) : notFound());
  };
  const { ended, heartbeats } = anAttempt(candidates, ask);
  const failure: unknown = await ended;
  expect(asked).toEqual(['con-1001', 'con-1002']);
  expect(failure).toMatchObject({
    type: 'consents_missing',
    nonRetryable: false,
    details: [{ unasked: { count: 2, named: ['con-1000', 'con-1001'] } }],
  });
  await anAttempt(candidates, ask, heartbeats.at(-1)).ended;
  expect(asked).toEqual(['con-1001', 'con-1002', 'con-1001', 'con-1002']);
});

test.each([
  ['with unavailable connections', connections(300), 'not_everyone_asked', 300, 10],
  ['without connections', [], 'consents_missing', 0, 0],
])('a search %s fails and lists at most ten connections', async (_, candidates, type, count, names) => {
  const silence = () => Promise.reject(new PaymentsApiError('unavailable', 'no'));
  const failure: unknown = await anAttempt(candidates, silence).ended;
  expect(failure).toBeInstanceOf(ApplicationFailure);
  expect(failure).toMatchObject({ type, details: [{ unasked: { count } }] });
  expect(JSON.stringify(failure).match(/con-/g) ?? []).toHaveLength(names);
});
