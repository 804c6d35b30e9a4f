import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { anApi, get, post, KEYS, type Api } from '../../../support/api/app.js';
import { aClientView, problemIn } from '../../../support/api/builders.js';
import { aClientOrder } from '../../../support/workflows/provider.js';

const refusing = anApi();

const body = (over: object = {}) => ({ uid: 'cli-1', ...aClientOrder(), ...over });
const patch = (api: Api, changes: object) =>
  api.app.request('/v1/clients/cli-1', {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${KEYS.all}`,
      'content-type': 'application/json',
      'Idempotency-Key': 'k1',
    },
    body: JSON.stringify(changes),
  });

const PERSON = {
  type: 'individual',
  australian_business_number: undefined,
  business_registration_date: undefined,
  website_url: undefined,
};

test.each<[object, string]>([
  [{}, '20260901'],
  [{ risk_level: 'low' }, '20260101'],
  [PERSON, '20260901'],
  [{ legal_name: 'Café Größe Pty Ltd', australian_credit_licence: 'AC 5' }, '20260901'],
])('POST /v1/clients accepts %j with provider version %s', async (over, version) => {
  expect((await post(anApi({ version }), '/v1/clients', body(over))).status).toBe(202);
});

describe('POST /v1/clients', () => {
  test.each<[object, string]>([
    [{ legal_name: undefined }, '/legal_name'],
    [{ australian_business_number: '53004085617' }, '/australian_business_number'],
    [{ australian_business_number: '53 004 085 616' }, '/australian_business_number'],
    [{ australian_company_number: '004085617' }, '/australian_company_number'],
    [{ merchant_category_code: '799' }, '/merchant_category_code'],
    [{ merchant_category_code: undefined }, '/merchant_category_code'],
    [{ registered_address: undefined }, '/registered_address'],
    [{ type: 'company' }, '/type'],
    [{ licence_number: '1' }, '/licence_number'],
  ])('refuses %j with a pointer to %s', async (over, pointer) => {
    const problem = await problemIn(await post(refusing, '/v1/clients', body(over)));
    expect(problem).toMatchObject({ code: 'invalid_request' });
    expect(problem.errors?.map((error) => error.pointer)).toContain(pointer);
    expect(refusing.door.clients.start).not.toHaveBeenCalled();
  });

  test.each<[object, string, string?]>([
    [{ services: ['de'] }, '/services'],
    [{ services: [] }, '/services'],
    [{ services: ['payto', 'rtp'] }, '/contact_information'],
    [{ australian_business_number: undefined }, '/australian_business_number'],
    [{ business_registration_date: undefined }, '/business_registration_date'],
    [{ website_url: undefined }, '/website_url'],
    [{ australian_company_number: '004085616' }, '/company_incorporation_date'],
    [{ merchant_category_code: '0001' }, '/merchant_category_code'],
    [{ risk_level: 'low' }, '/risk_level'],
    [{}, '/risk_level', '20260101'],
    [{ risk_level: 'low', parent_client_id: 'cl-1' }, '/parent_client_id', '20260101'],
    [{ ...PERSON, austrac_number: '1' }, '/austrac_number'],
  ])('refuses %j at %s for the provider version %s', async (over, pointer, version = '20260901') => {
    const api = anApi({ version });
    api.door.clients.view.mockResolvedValue(undefined);
    expect(await problemIn(await post(api, '/v1/clients', body(over)))).toMatchObject({
      status: 422,
      code: 'provider_would_refuse',
      pointers: [pointer],
    });
    expect(api.door.clients.start).not.toHaveBeenCalled();
  });

  test('derives a stable uid from the connection and Idempotency-Key, and needs a uid or key', async () => {
    const asked = body({ uid: undefined });
    const uidFor = async (connection: string, key: string): Promise<unknown> => {
      const answer = await post(anApi(), '/v1/clients', { ...asked, connection }, { 'Idempotency-Key': key });
      return z.object({ data: z.object({ uid: z.string() }) }).parse(await answer.json()).data.uid;
    };
    const first = await uidFor('acme', 'k1');
    expect(await uidFor('acme', 'k1')).toBe(first);
    expect(await uidFor('acme', 'k2')).not.toBe(first);
    expect(await uidFor('other', 'k1')).not.toBe(first);
    expect(await problemIn(await post(anApi(), '/v1/clients', asked))).toMatchObject({
      code: 'idempotency_key_required',
    });
  });
});

test.each([
  'australian_business_number',
  'australian_company_number',
  'merchant_category_code',
  'parent_client_id',
  'type',
  'primary_bank_account_bban',
  'risk_level',
  'austrac_number',
  'services',
])('PATCH refuses a change of %s', async (field) => {
  const problem = await problemIn(await patch(refusing, { [field]: '1' }));
  expect(problem.pointers).toEqual([`/${field}`]);
  expect(problem.errors[0]?.detail).toMatch(/^expected no change/);
  expect(refusing.door.clients.change).not.toHaveBeenCalled();
});

test.each(['legal_name', 'website_url'])('PATCH refuses null for %s', async (field) => {
  const problem = await problemIn(await patch(refusing, { [field]: null }));
  expect(problem).toMatchObject({ status: 400, code: 'invalid_request', pointers: [`/${field}`] });
  expect(refusing.door.clients.change).not.toHaveBeenCalled();
});

test('a suspended client shows its running agreements', async () => {
  const api = anApi();
  api.door.clients.view.mockResolvedValue(aClientView({ state: 'suspended' }));
  const beneath = { own: 3, agreements: 4, clients: [aClientView({ uid: 'cli-2', clientId: 'cl-2' })] };
  api.door.clients.beneath.mockResolvedValue(beneath);
  expect(await (await get(api, '/v1/clients/cli-1')).json()).toMatchObject({
    data: {
      running_agreements: {
        own: 3,
        beneath: 4,
        clients: [{ uid: 'cli-2', links: { agreements: '/v1/agreements?client=cl-2' } }],
      },
    },
  });
});
