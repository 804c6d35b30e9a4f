import { describe, expect, test } from 'vitest';
import {
  clientDifferences,
  isOfBusiness,
  lineageOf,
  refusalToInitiate,
  refusalsOfPlace,
  type ClientLifecycleState,
  type FoundClient,
  type LineageEntry,
} from '../../../domain/client/lifecycle.js';
import type { ClientOrder, ClientParticulars } from '../../../domain/client/request.schema.js';
import { aClientOrder } from '../../support/workflows/provider.js';

const followed = (state: FoundClient['state'], n = 1, over: Partial<FoundClient> = {}): LineageEntry => ({
  clientId: `c${n}`,
  found: { uid: `u${n}`, state, connectionId: 'acme', order: aClientOrder(), ...over },
});
const UNKNOWN: LineageEntry = { clientId: 'c9', found: undefined };

describe('matching an existing client', () => {
  const { services: _, ...found } = aClientOrder();
  test.each<[string, ClientParticulars, boolean]>([
    ['an identical client', found, true],
    ['a client with the name spelled differently', { ...found, legal_name: 'CORNER GYM PTY. LTD.' }, true],
    ['a client with a different name', { ...found, legal_name: 'Side Gym Pty Ltd' }, true],
    ['a client with a different ABN', { ...found, australian_business_number: '51824753556' }, false],
    ['a client without an ABN', { legal_name: found.legal_name }, false],
  ])('the ABN alone decides for %s', (_name, shown, isIt) => {
    expect(isOfBusiness(aClientOrder(), shown)).toBe(isIt);
  });

  test('compares the ACN if the request has no ABN', () => {
    const order = aClientOrder({
      australian_business_number: undefined,
      australian_company_number: '004085616',
    });
    expect(isOfBusiness(order, { ...found, australian_company_number: '004085616' })).toBe(true);
    expect(isOfBusiness(order, found)).toBe(false);
  });

  test('compares the legal name if the request has no number', () => {
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
  ])('finds that %j differs from the request at %j', (over, paths) => {
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
  ])('parent: requested %s, found %s, in our state %s, differs %s', (requested, parent, isOurs, differs) => {
    const order = aClientOrder({ parent_client_id: requested });
    const paths = clientDifferences(order, { ...found, parent_client_id: parent }, isOurs);
    expect(paths).toEqual(differs ? ['/parent_client_id'] : []);
  });
});

test.each<[FoundClient['state'], string | undefined]>([
  ['active', undefined],
  ['unknown', undefined],
  ['not_configured', 'Ask the provider'],
  ['pending', 'client c1 (/v1/clients/u1) is pending'],
  ['suspended', 'is suspended'],
  ['off_boarded', 'is off_boarded'],
  ['failed', 'is failed'],
])('refusal of a client in state %s: %s', (state, why) => {
  const refusal = refusalToInitiate([followed(state)]);
  if (why === undefined) expect(refusal).toBeUndefined();
  else expect(refusal).toContain(why);
});

describe('client hierarchy', () => {
  const placed = (above: LineageEntry[], depth = 3, services: ClientOrder['services'] = ['payto']) =>
    refusalsOfPlace({ services }, { above, depth, connectionId: 'acme' });

  test.each<[ClientLifecycleState, boolean]>([
    ['active', false],
    ['pending', false],
    ['suspended', true],
    ['off_boarded', true],
  ])('a parent in state %s stops new agreements below it: %s', (state, isStopped) => {
    const refusal = refusalToInitiate([followed('active'), followed('active', 2), followed(state, 3)]);
    if (isStopped) expect(refusal).toContain(`client c3 (/v1/clients/u3) is ${state}`);
    else expect(refusal).toBeUndefined();
    expect(placed([followed(state)])).toHaveLength(isStopped ? 1 : 0);
  });

  test.each([
    [0, 2, true],
    [1, 2, false],
    [1, 3, true],
    [2, 3, false],
    [2, 4, true],
  ])('a client with %d parents fits into %d levels: %s', (count, depth, isAllowed) => {
    const above = Array.from({ length: count }, (_, n) => followed('active', n));
    expect(placed(above, depth)).toHaveLength(isAllowed ? 0 : 1);
  });

  test('refuses a parent that is unknown or belongs to another connection in the same words', () => {
    const elsewhere = followed('active', 1, { connectionId: 'other' });
    expect(placed([UNKNOWN], 9)).toMatchObject([{ pointer: '/parent_client_id' }]);
    expect(placed([elsewhere, followed('active', 2)], 2, ['de'])).toEqual(placed([UNKNOWN], 9));
  });

  test.each<[ClientOrder['services'], number, string[]]>([
    [['payto', 'rtp'], 0, []],
    [['payto'], 1, []],
    [['payto', 'rtp'], 1, ['/services']],
    [['payto', 'de'], 2, ['/services']],
  ])(
    'services %j with %d parents are refused at %j (only PayTo below the second level)',
    (services, count, pointers) => {
      const above = Array.from({ length: count }, (_, n) => followed('active', n));
      expect(placed(above, 9, services).map(({ pointer }) => pointer)).toEqual(pointers);
    },
  );

  const lineOf = (clients: Record<string, Partial<FoundClient>>) =>
    lineageOf('c1', (id) => Promise.resolve(clients[id] && followed('active', 1, clients[id]).found));
  const orderedBeneath = (parent_client_id: string) => ({ order: aClientOrder({ parent_client_id }) });

  test('counts an unknown parent as a level', async () => {
    const line = await lineOf({ c1: orderedBeneath('c2') });
    expect(line).toMatchObject([{ clientId: 'c1' }, { clientId: 'c2', found: undefined }]);
    expect(placed(line)).toHaveLength(1);
  });

  test('does not count the primary client as the parent of a top-level client', async () => {
    expect(await lineOf({ c1: { particulars: { parent_client_id: 'primary' } } })).toHaveLength(1);
    const moved = { c1: { particulars: { parent_client_id: 'c2' } }, c2: {} };
    expect(await lineOf(moved)).toHaveLength(2);
  });
});
