import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  ON_ANSWER,
  ON_READ,
  type AnswerAction,
  type FaultParameters,
} from '../../sandbox/faults/actions.schema.js';
import { WHY, agreementRequest, paymentRequest } from '../../tools/conform/requests.js';
import { activeAgreement } from '../../tools/conform/resources.js';
import { startWorld, type World } from '../support/payments-api/contract-world.js';
import { VERSION_HEADER } from '../../tools/conform/world.js';
import { PaymentsApiError } from '../../payments-api/errors.js';
import { createPaymentsApi, type PaymentsApi } from '../../payments-api/client.js';
import { all } from '../../tools/conform/walk-payto.js';
import { startLoopback, thrownBy, type Loopback } from '../support/payments-api/loopback.js';
import type { PaymentsApiErrorCode } from '../../domain/provider/call-codes.js';

type Outcome = PaymentsApiErrorCode | 'done';

interface Row {
  code: PaymentsApiErrorCode;
  happened: boolean;
  command?: Outcome;
  parameters?: FaultParameters;
}

const ROWS: Record<AnswerAction, Row> = {
  error_500_before: { code: 'unavailable', happened: false },
  error_503: { code: 'unavailable', happened: false },
  error_429: { code: 'rate_limited', happened: false },
  cut_before_commit: { code: 'unavailable', happened: false },
  redirect: { code: 'malformed', happened: false },
  error_500_after_commit: { code: 'unavailable', happened: true },
  cut_after_commit: { code: 'unavailable', happened: true },
  slow: { code: 'unavailable', happened: true, parameters: { delay_ms: 60_000 } },
  trickle: { code: 'unavailable', happened: true, command: 'done', parameters: { pause_ms: 1000 } },
  malformed_json: { code: 'malformed', happened: true, command: 'done' },
  wrong_content_type: { code: 'malformed', happened: true, command: 'done' },
  huge_body: { code: 'malformed', happened: true },
  lying_content_length: { code: 'unavailable', happened: true },
};
const rows = ON_ANSWER.map((action) => ({ action, command: ROWS[action].code, ...ROWS[action] }));

const HASTY_MS = 400;

let world: World;
let elsewhere: Loopback;
let api: PaymentsApi;
let hasty: PaymentsApi;
beforeAll(async () => {
  world = await startWorld();
  elsewhere = await startLoopback();
  const options = { baseUrl: world.url, version: '20260901', versionHeader: VERSION_HEADER };
  api = createPaymentsApi(options);
  hasty = createPaymentsApi({ ...options, limitMs: HASTY_MS });
});
afterAll(async () => {
  await world.close();
  await elsewhere.close();
});

const isLate = (action: AnswerAction): boolean => action === 'slow' || action === 'trickle';
const clientFor = (action: AnswerAction, outcome: Outcome): PaymentsApi =>
  outcome === 'unavailable' && isLate(action) ? hasty : api;

async function outcomeOf(run: () => Promise<unknown>): Promise<Outcome> {
  const error: unknown = await run().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error === undefined) return 'done';
  if (error instanceof PaymentsApiError) return error.code;
  throw new Error('expected a PaymentsApiError', { cause: error });
}

const parametersOf = ({ action, parameters }: (typeof rows)[0]): FaultParameters | undefined =>
  action === 'redirect' ? { to: elsewhere.url } : parameters;

type Faulted = 'get_agreement' | 'create_agreement' | 'suspend_agreement';
const addFault = (on: Faulted, it: (typeof rows)[0], times = 1) =>
  world.control.addFault({ on, do: it.action, times, ...parametersOf(it) });

const changes = (since: number, uid: string) =>
  world.control.ledger(since, { kind: 'change', resource_uid: uid });
const lastCall = (operation: string) => world.control.ledger(0, { kind: 'call', operation }).at(-1);

test('the table covers every fault of answers and reads', () => {
  expect([...Object.keys(ROWS), 'read_lag'].sort()).toEqual([...ON_ANSWER, ...ON_READ].sort());
});

describe('read', () => {
  test.each(rows)('with $action is $code and succeeds when repeated', async (it) => {
    const uid = await activeAgreement(world);
    addFault('get_agreement', it, 3);
    expect(await outcomeOf(() => clientFor(it.action, it.code).getAgreement(uid, world.call))).toBe(it.code);
    expect(lastCall('get_agreement')).toMatchObject({ fault: it.action });
    world.control.clearFaults();
    expect(await api.getAgreement(uid, world.call)).toMatchObject({ uid, state: 'active' });
  });
});

describe('create call', () => {
  test.each(rows)('with $action is $code, and the agreement exists: $happened', async (it) => {
    const request = agreementRequest();
    const before = world.mark();
    addFault('create_agreement', it);
    expect(await outcomeOf(() => clientFor(it.action, it.code).createAgreement(request, world.call))).toBe(
      it.code,
    );
    const sent = { kind: 'call', operation: 'create_agreement', resource_uid: request.uid } as const;
    expect(world.control.ledger(before, sent)).toMatchObject([{ fault: it.action }]);
    const happened = changes(before, request.uid).some(
      (line) => line.kind === 'change' && line.from === null,
    );
    expect(happened).toBe(it.happened);
    const again = await outcomeOf(() => api.createAgreement(request, world.call));
    expect(again).toBe(it.happened ? 'rejected' : 'done');
    expect(await api.getAgreement(request.uid, world.call)).toMatchObject({ uid: request.uid });
  });
});

describe('agreement command', () => {
  test.each(rows)('with $action is $command, and the command was accepted: $happened', async (it) => {
    const uid = await activeAgreement(world);
    world.control.scriptAction(uid, { action: 'suspension', simulate: 'successful_suspension', delay: 60 });
    const before = world.mark();
    addFault('suspend_agreement', it);
    expect(
      await outcomeOf(() => clientFor(it.action, it.command).suspendAgreement(uid, WHY, world.call)),
    ).toBe(it.command);
    expect(lastCall('suspend_agreement')).toMatchObject({ fault: it.action });
    const requested = { resource_type: 'payto_agreement_suspension', from: null, to: 'pending' };
    expect(changes(before, uid)).toMatchObject(it.happened ? [requested] : []);
    if (it.happened)
      expect(await thrownBy(() => api.suspendAgreement(uid, WHY, world.call))).toMatchObject({
        providerCodes: ['ZPSUS01'],
        means: 'already_processing',
      });
    else await api.suspendAgreement(uid, WHY, world.call);
  });
});

const outcomes = (since: number): unknown[] =>
  world.control.ledger(since, { kind: 'token' }).map((line) => line.kind === 'token' && line.outcome);
const refresh = (refreshToken: string, signal?: AbortSignal) =>
  world.oauth().refresh({ refreshToken, signal });

describe('token refresh', () => {
  const isGood = async (accessToken: string): Promise<boolean> =>
    (await outcomeOf(() => api.ping({ accessToken }))) === 'done';

  async function outcomeUnder(action: AnswerAction, refreshToken: string, since: number): Promise<Outcome> {
    const caller = new AbortController();
    const outcome = outcomeOf(() => refresh(refreshToken, caller.signal));
    if (isLate(action)) {
      await vi.waitFor(() => expect(outcomes(since)).toEqual(['issued']), { timeout: 10_000 });
      caller.abort();
    }
    return outcome;
  }

  test.each(rows)('with $action is $code, and a pair was issued: $happened', async (it) => {
    const first = await world.connect();
    const before = world.mark();
    world.control.addFault({ on: 'token', do: it.action, times: 1, ...parametersOf(it) });
    expect(await outcomeUnder(it.action, first.refreshToken, before)).toBe(it.code);
    expect(outcomes(before)).toEqual([it.happened ? 'issued' : 'not_processed']);
    expect([elsewhere.connections(), elsewhere.requests]).toEqual([0, []]);
    expect(await isGood(first.accessToken)).toBe(true);
    const again = await outcomeOf(() => refresh(first.refreshToken));
    expect(again).toBe(it.happened ? 'grant_refused' : 'done');
    expect(await isGood(first.accessToken)).toBe(!it.happened);
  });
});

test('a slow answer within the time limit is accepted', async () => {
  const uid = await activeAgreement(world);
  world.control.addFault({ on: 'get_agreement', do: 'slow', delay_ms: 100, times: 1 });
  expect(await api.getAgreement(uid, world.call)).toMatchObject({ uid });
  world.control.addFault({ on: 'get_user', do: 'trickle', pause_ms: 2, times: 1 });
  expect(await api.getUser(world.call)).toHaveProperty('account.nickname');
});

test('a payment with a lost answer exists once and its repeat is refused', async () => {
  const request = paymentRequest(await activeAgreement(world));
  world.control.addFault({ on: 'create_payment', do: 'cut_after_commit', times: 1 });
  expect(await outcomeOf(() => api.createPayment(request, world.call))).toBe('unavailable');
  expect(await api.getPayment(request.uid, world.call)).toMatchObject({ order: { amount: 4200 } });
  expect(await thrownBy(() => api.createPayment(request, world.call))).toMatchObject({
    providerCodes: ['ZPPAY00'],
  });
  const { payments } = world.control.state();
  expect(payments.filter(({ uid }) => uid === request.uid)).toHaveLength(1);
});

describe('lagging read', () => {
  const lag = (on: 'get_agreement' | 'agreement_history' | 'list_agreements') =>
    world.control.addFault({ on, do: 'read_lag', lag_seconds: 30, times: 1 });

  test('does not find a new agreement that exists', async () => {
    const request = agreementRequest();
    await api.createAgreement(request, world.call);
    lag('get_agreement');
    expect(await outcomeOf(() => api.getAgreement(request.uid, world.call))).toBe('not_found');
    expect(lastCall('get_agreement')).toMatchObject({ status: 404, fault: 'read_lag' });
    expect(await outcomeOf(() => api.createAgreement(request, world.call))).toBe('rejected');
  });

  test('shows an earlier state, history and list', async () => {
    const uid = await activeAgreement(world);
    await world.control.advance(60);
    world.control.actAsPayer(uid, 'cancel');
    lag('get_agreement');
    expect(await api.getAgreement(uid, world.call)).toMatchObject({ state: 'active' });
    lag('agreement_history');
    expect(await api.getAgreementHistory(uid, world.call)).toMatchObject([{ type: 'activated' }]);
    lag('list_agreements');
    const listed = await all(api.listAgreements({ state: ['active'], perPage: 100 }, world.call));
    expect(listed.map((agreement) => agreement.uid)).toContain(uid);
    expect(await api.getAgreement(uid, world.call)).toMatchObject({ state: 'cancelled' });
  });

  test('cannot be set for a write', () => {
    expect(() => world.control.addFault({ on: 'create_agreement', do: 'read_lag' })).toThrow(/reads/);
  });
});
