import type { World } from './world.js';

const APPROVAL_SECONDS = 60;

export function aClient(overrides: object = {}) {
  return {
    type: 'business',
    legal_name: 'Corner Gym Pty Ltd',
    business_names: ['Corner Gym', 'Gym on the Corner'],
    australian_business_number: '11222333444',
    australian_company_number: '222333444',
    company_incorporation_date: '2019-07-01',
    business_registration_date: '2019-07-01',
    registered_address: '1 Corner Street, Sydney NSW 2000, Australia',
    website_url: 'https://corner-gym.example',
    merchant_category_code: '7997',
    services: ['payto'],
    ...overrides,
  };
}

type Caller = Pick<World, 'caller'>;

export async function aRegisteredClient({ caller }: Caller, overrides: object = {}): Promise<string> {
  return (await caller.post('/clients', aClient(overrides))).data.id ?? '';
}

export async function aPayToClient(
  { caller, control }: Pick<World, 'caller' | 'control'>,
  overrides: object = {},
): Promise<string> {
  const id = await aRegisteredClient({ caller }, overrides);
  await control.advance(APPROVAL_SECONDS);
  return id;
}

export const THIRD_PARTY = {
  method: 'third_party_provider',
  provider_name: 'Identity Checks',
  reference: 'IC-77',
  verified_at: '2026-01-05T03:00:00Z',
};

const PAYER_ACCOUNT = { type: 'bban', value: '200001-12340001' };

export function aPaymentAccount(overrides: object = {}) {
  return { account_identifier: PAYER_ACCOUNT, ...overrides };
}

export function aCounterparty(overrides: object = {}) {
  return {
    identity: { legal_name: 'A Payer', verification: THIRD_PARTY },
    payment_accounts: [aPaymentAccount()],
    ...overrides,
  };
}
