import { describe, expect, test } from 'vitest';
import { LEGACY } from '../../support/sandbox/agreements.js';
import { aClient, aRegisteredClient } from '../../support/sandbox/clients.js';
import { aSharedWorld } from '../../support/sandbox/world.js';

const theWorld = aSharedWorld();
const RISK = { risk_level: 'low' };
const CONTACT = { contact_name: 'Ann Able', email: 'ann@corner-gym.example', phone: '+61 2 5550 0000' };
const without = (...fields: string[]) => Object.fromEntries(fields.map((field) => [field, undefined]));
const INDIVIDUAL = {
  type: 'individual',
  ...without('australian_business_number', 'australian_company_number', 'company_incorporation_date'),
  ...without('business_registration_date', 'website_url'),
};

describe('client request on 20260101', () => {
  test.each<[what: string, body: object]>([
    ['the fields of a business', RISK],
    ['the fields of an individual', { ...RISK, ...INDIVIDUAL }],
    ['licences', { ...RISK, austrac_number: '1', australian_credit_licence: '2' }],
    ['all contact details for rtp', { ...RISK, services: ['rtp'], contact_information: CONTACT }],
  ])('accepts %s', async (_, body) => {
    expect((await theWorld().caller.post('/clients', aClient(body), LEGACY)).status).toBe(201);
  });
});

describe('refused client request on 20260101', () => {
  const REQUIRED = [
    'type',
    'legal_name',
    'business_names',
    'australian_business_number',
    'business_registration_date',
    'registered_address',
    'website_url',
    'merchant_category_code',
    'services',
    'risk_level',
  ];
  test.each<[why: string, body: object]>([
    ...REQUIRED.map((field): [string, object] => [`without ${field}`, { ...RISK, ...without(field) }]),
    ['with a company number but no incorporation date', without('company_incorporation_date')],
    ['with an unlisted category', { merchant_category_code: '0001' }],
    ['with an unsupported licence', { dealer_licence: '1' }],
    ['with a parent, which this version lacks', { parent_client_id: null }],
    ['with an address that is not text', { registered_address: { street: '1' } }],
    ['with rtp but no contact details', { services: ['rtp'] }],
    ['with rtp and half of them', { services: ['rtp'], contact_information: { email: CONTACT.email } }],
    ['as an individual with a business number', { type: 'individual' }],
    ['as an individual with rtp', { ...INDIVIDUAL, services: ['rtp'], contact_information: CONTACT }],
  ])('a client %s gets a validation error and no code', async (_, body) => {
    const { status, errors } = await theWorld().caller.post(
      '/clients',
      aClient({ ...RISK, ...body }),
      LEGACY,
    );
    expect([status, errors[0]?.title, errors[0]?.code]).toEqual([422, 'Validation Failed', undefined]);
  });
});

test('a risk level is refused on 20260901', async () => {
  expect((await theWorld().caller.post('/clients', aClient(RISK))).status).toBe(422);
});

test.each<[what: string, body: object, status: number]>([
  ['accepts a legal name', { legal_name: 'Corner Gym Holdings Pty Ltd' }, 202],
  ['accepts one contact detail', { contact_information: { email: CONTACT.email } }, 202],
  ['refuses services', { services: ['payto'] }, 422],
  ['refuses a business number', { australian_business_number: '11222333444' }, 422],
  ['refuses null for a text field', { website_url: null }, 422],
])('a client update %s', async (_, body, status) => {
  const { caller } = theWorld();
  const id = await aRegisteredClient({ caller });
  expect((await caller.patch(`/clients/${id}`, body)).status).toBe(status);
  const { data } = await caller.get(`/clients/${id}`);
  if (status === 202) expect(data).toMatchObject(body);
  expect(data['contact_information']).toMatchObject({ contact_name: null, phone: null });
});

test.each(['per_page=0', 'starting_after=nobody'])('an invalid page is refused: %s', async (query) => {
  expect(await theWorld().caller.get(`/clients?${query}`)).toMatchObject({
    status: 422,
    errors: [{ title: 'Invalid request parameters' }],
  });
});
