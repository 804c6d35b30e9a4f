import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  DAY_SECONDS,
  FLOAT_ID,
  agreementRequest,
  bban,
  instantIn,
  payer,
  unique,
} from '../../tools/conform/requests.js';
import { activeAgreement } from '../../tools/conform/resources.js';
import { PaymentsApiError } from '../../payments-api/errors.js';
import { startWorld, type World } from '../support/payments-api/contract-world.js';
import { VERSION_HEADER } from '../../tools/conform/world.js';
import { all } from '../../tools/conform/walk-payto.js';
import { thrownBy } from '../support/payments-api/loopback.js';
import type { AddFault } from '../../sandbox/control/requests.schema.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

async function refusalOf(run: () => unknown): Promise<PaymentsApiError> {
  const error = await thrownBy(run);
  if (error instanceof PaymentsApiError) return error;
  throw new Error('expected a PaymentsApiError', { cause: error });
}

describe('status 400', () => {
  test('names an unknown field in the detail, without a code', async () => {
    world.changeNext({ body: { surprise: 1 } });
    const error = await refusalOf(() => world.api.createAgreement(agreementRequest(), world.call));
    expect(error).toMatchObject({ code: 'rejected', status: 400, providerCodes: [], advice: undefined });
    const detail: unknown = expect.stringContaining('surprise');
    expect(error.problems).toMatchObject([{ title: 'Validation Failed', detail }]);
  });

  test('refuses an unknown version', async () => {
    world.changeNext({ headers: { [VERSION_HEADER]: '20991231' } });
    const error = await refusalOf(() => world.api.ping(world.call));
    expect(error).toMatchObject({ code: 'rejected', status: 400 });
  });
});

describe('status 401', () => {
  const TITLE = [{ title: 'Unauthorised access token' }];

  test('refuses an unknown token', async () => {
    const error = await refusalOf(() => world.api.getPayment('pay-1', { accessToken: 'made-up' }));
    expect(error).toMatchObject({ code: 'unauthorised', status: 401 });
    expect(error.problems).toMatchObject(TITLE);
  });

  test('refuses a token after two hours', async () => {
    const { accessToken } = await world.connect();
    await world.pass(7190);
    await world.api.ping({ accessToken });
    await world.pass(10);
    const error = await refusalOf(() => world.api.ping({ accessToken }));
    expect(error).toMatchObject({ code: 'unauthorised', status: 401 });
    expect(error.problems).toMatchObject(TITLE);
  });

  test('refuses a token of a revoked grant', async () => {
    const { accessToken } = await world.connect();
    world.control.revokeGrants(world.control.state().grants.at(-1)?.id);
    const error = await refusalOf(() => world.api.ping({ accessToken }));
    expect(error).toMatchObject({ code: 'unauthorised', status: 401 });
    await world.api.ping(world.call);
  });
});

test('status 403 has no body', async () => {
  const { accessToken } = await world.connect('public pay_to_payments');
  await refusalOf(() => world.api.getAgreement('agr-1', { accessToken }));
  expect(world.last().body).toBeUndefined();
});

describe('status 404', () => {
  test('means that the agreement has no amendment in progress', async () => {
    const uid = await activeAgreement(world);
    const error = await refusalOf(() => world.api.getAmendment(uid, world.call));
    expect(error).toMatchObject({ code: 'not_found', status: 404 });
  });
});

test('status 409 refuses a version below the account’s minimum without effect', async () => {
  world.control.setOrganisation({ minimum_version: '20260901' });
  const before = world.mark();
  const old = world.on('20260101');
  const error = await refusalOf(() => old.createAgreement(agreementRequest(), world.call));
  expect(error).toMatchObject({ code: 'conflict', status: 409 });
  expect(error.problems).toMatchObject([{ title: 'API Version Below Minimum' }]);
  expect(world.control.ledger(before)).toMatchObject([{ kind: 'call', status: 409 }]);
  await world.api.createAgreement(agreementRequest(), world.call);
  world.control.setOrganisation({ minimum_version: null });
  await old.createAgreement(agreementRequest(), world.call);
});

describe('status 422', () => {
  test('contains every problem, and each code once', async () => {
    const debtor = { ...payer(), account_identifier: bban('200001-1234567890') };
    const error = await refusalOf(() =>
      world.api.createAgreement(agreementRequest({ debtor, purpose: 'mischief' }), world.call),
    );
    expect(error.problems).toHaveLength(2);
    expect(error.providerCodes).toEqual(['ZPUNP00']);
  });

  test('contains the uid of the refused resource', async () => {
    const uid = await activeAgreement(world);
    const error = await refusalOf(() => world.api.createAgreement(agreementRequest({ uid }), world.call));
    expect(error.problems).toMatchObject([{ code: 'ZPAGR00', resourceUid: uid }]);
  });

  test('refuses entries older than 24 months with a readable detail', async () => {
    const minCreatedDate = instantIn(world, -800 * DAY_SECONDS);
    const run = () => all(world.api.listFloatAccountEntries(FLOAT_ID, { minCreatedDate }, world.call));
    const error = await refusalOf(run);
    expect(error).toMatchObject({ code: 'rejected', status: 422 });
    expect(error.problems[0]?.detail).toBeTruthy();
  });
});

describe('status 429 and 503', () => {
  const seconds = (value: number) => ({ retry_after_seconds: value, retry_after_as: 'seconds' }) as const;
  const date = (value: number) => ({ retry_after_seconds: value, retry_after_as: 'date' }) as const;
  type Parameters = Pick<AddFault, 'retry_after_seconds' | 'retry_after_as'>;

  test.each<['error_429' | 'error_503', string, Parameters, number | undefined]>([
    ['error_429', 'rate_limited', seconds(30), 30_000],
    ['error_503', 'unavailable', date(120), 120_000],
    ['error_503', 'unavailable', { retry_after_seconds: null }, undefined],
  ])('%s is %s, and with %o the wait is %s ms', async (action, code, parameters, waitMs) => {
    world.control.addFault({ on: 'create_agreement', do: action, times: 1, ...parameters });
    const request = agreementRequest();
    const before = world.mark();
    const began = Date.now();
    const error = await refusalOf(() => world.api.createAgreement(request, world.call));
    expect(error).toMatchObject({ code, status: action === 'error_429' ? 429 : 503 });
    if (parameters.retry_after_as === 'date') {
      expect(error.retryAfterMs).toBeLessThanOrEqual(waitMs ?? 0);
      expect(error.retryAfterMs).toBeGreaterThan((waitMs ?? 0) - 1000 - (Date.now() - began) - 1);
    } else expect(error.retryAfterMs).toBe(waitMs);
    expect(world.control.ledger(before, { kind: 'change', resource_uid: request.uid })).toEqual([]);
  });

  test('429 of an account validation has Retry-After and no body', async () => {
    world.changeNext({ body: { sandbox: { simulate: 'rate_limited' } } });
    const request = { uid: unique('cop'), ...payer(), requester: { id: 'user-7' } };
    const error = await refusalOf(() => world.api.validateAccount(request, world.call));
    expect(world.last().body).toBeUndefined();
    expect(error).toMatchObject({ code: 'rate_limited', status: 429, retryAfterMs: 30_000 });
  });
});
