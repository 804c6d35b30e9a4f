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
    ['another spelling of the name', { ...found, legal_name: 'CORNER GYM PTY. LTD.' }, true],
    ['another name', { ...found, legal_name: 'Side Gym Pty Ltd' }, true],
    ['another ABN', { ...found, australian_business_number: '51824753556' }, false],
    ['no ABN', { legal_name: found.legal_name }, false],
  ])('%s is of the business: %s is judged by number alone', (_name, shown, isIt) => {
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

  test('is found by its legal name where it has no number', () => {
    const order = aClientOrder({ australian_business_number: undefined });
    expect(isOfBusiness(order, { legal_name: 'CORNER  GYM pty ltd ' })).toBe(true);
    expect(isOfBusiness(order, { legal_name: 'Corner Gym Pty Ltd Two' })).toBe(false);
  });

  test.each<[ClientParticulars, string[]]>([
    [{}, []],
    [{ legal_name: 'CORNER  GYM pty ltd ' }, []],
    [{ legal_name: 'CORNER GYM PTY. LTD.' }, ['/legal_name']],
    [{ merchant_category_code: '4900' }, ['/merchant_category_code']],
    [{ website_url: 'https://gym.example' }, []],
  ])('%j differs in %j from what was requested', (over, paths) => {
    expect(clientDifferences(aClientOrder(), { ...found, ...over }, false)).toEqual(paths);
  });

  test.each<[string | undefined, string | null | undefined, boolean, boolean]>([
    [undefined, undefined, false, false],
    [undefined, null, false, false],
    [undefined, 'the primary client', false, false],
    [undefined, 'a client of ours', true, true],
    ['p', undefined, false, false],
    ['p', 'p', true, false],
    ['p', null, false, true],
    ['p', 'another', false, true],
  ])(
    'parents: %s requested, %s found, followed here %s: differs %s',
    (requested, parent, isOurs, differs) => {
      const order = aClientOrder({ parent_client_id: requested });
      const paths = clientDifferences(order, { ...found, parent_client_id: parent }, isOurs);
      expect(paths).toEqual(differs ? ['/parent_client_id'] : []);
    },
  );
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
