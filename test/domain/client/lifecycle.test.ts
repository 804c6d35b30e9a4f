import { describe, expect, test } from 'vitest';
import {
  clientDifferences,
  isOfBusiness,
  refusalBeneath,
  refusalToInitiate,
} from '../../../domain/client/lifecycle.js';
import type { ClientLifecycleState, LineageEntry } from '../../../domain/client/lifecycle.js';
import type { ClientParticulars } from '../../../domain/client/request.schema.js';
import { aClientOrder } from '../../support/workflows/provider.js';

const standing = (state: LineageEntry['state'], n = 1): LineageEntry => ({
  uid: `u${n}`,
  clientId: `c${n}`,
  state,
});

describe('a client that was found', () => {
  const { services: _, ...found } = aClientOrder();
  test.each<[string, ClientParticulars, boolean]>([
    ['the same', found, true],
    ['capitals and spaces apart', { ...found, legal_name: 'CORNER  GYM pty ltd ' }, true],
    ['a longer name', { ...found, legal_name: 'Corner Gym Pty Ltd Two' }, false],
    ['another ABN', { ...found, australian_business_number: '51824753556' }, false],
    ['no ABN', { legal_name: found.legal_name }, false],
  ])('%s is of the business: it is judged by name and number', (_name, shown, isIt) => {
    expect(isOfBusiness(aClientOrder(), shown)).toBe(isIt);
  });

  test('is told by its ACN where no ABN was asked for', () => {
    const order = aClientOrder({
      australian_business_number: undefined,
      australian_company_number: '004085616',
    });
    expect(isOfBusiness(order, { ...found, australian_company_number: '004085616' })).toBe(true);
    expect(isOfBusiness(order, found)).toBe(false);
  });

  test.each<[ClientParticulars, string[]]>([
    [{}, []],
    [{ merchant_category_code: '4900' }, ['/merchant_category_code']],
    [{ website_url: 'https://gym.example' }, []],
    [{ parent_client_id: null }, []],
    [{ parent_client_id: 'p' }, ['/parent_client_id']],
  ])('%j differs in %j from what was asked for', (over, paths) => {
    expect(clientDifferences(aClientOrder(), { ...found, ...over })).toEqual(paths);
  });
});

test.each<[LineageEntry['state'], string | undefined]>([
  ['active', undefined],
  ['unknown', undefined],
  ['not_configured', 'ask the provider'],
  ['pending', 'client c1 (/v1/clients/u1) is pending'],
  ['suspended', 'is suspended'],
  ['off_boarded', 'is off_boarded'],
  ['failed', 'is failed'],
])('a client that is %s: %s', (state, why) => {
  const refusal = refusalToInitiate([standing(state)]);
  if (why === undefined) expect(refusal).toBeUndefined();
  else expect(refusal).toContain(why);
});

describe('the hierarchy', () => {
  test.each<[ClientLifecycleState, boolean]>([
    ['active', false],
    ['pending', false],
    ['suspended', true],
    ['off_boarded', true],
  ])('a parent that is %s stops new agreements beneath: %s', (state, isStopped) => {
    const refusal = refusalToInitiate([standing('active'), standing('active', 2), standing(state, 3)]);
    if (isStopped) expect(refusal).toContain(`client c3 (/v1/clients/u3) is ${state}`);
    else expect(refusal).toBeUndefined();
    const beneath = refusalBeneath([standing(state)], 3);
    if (isStopped) expect(beneath).toContain(state);
    else expect(beneath).toBeUndefined();
  });

  test.each([
    [0, 2, true],
    [1, 2, false],
    [1, 3, true],
    [2, 3, false],
    [2, 4, true],
  ])('%d known above, %d levels enabled: %s', (count, depth, isAllowed) => {
    const above = Array.from({ length: count }, (_, n) => standing('active', n));
    expect(refusalBeneath(above, depth) === undefined).toBe(isAllowed);
  });
});
