import { describe, expect, test } from 'vitest';
import { PARTS, uidOf } from '../../../../domain/onboarding/steps.js';
import { newOnboarding } from '../../../../workflows/onboarding/state.js';
import { viewOf } from '../../../../workflows/onboarding/view.js';
import { anOnboarding } from '../../../support/an-onboarding.js';
import { anApi, post, type Api } from '../../../support/api/app.js';
import { aClientView, problemIn } from '../../../support/api/builders.js';
import { someParts } from '../../../support/workflows/onboarding-parts.js';

const PATH = '/v1/onboardings';
type Body = ReturnType<typeof anOnboarding>;
const OTHER_ACCOUNT = {
  account_identifier: { type: 'bban', value: '200009-99999999' },
  party_name: 'A Payer',
  verification: { method: 'account_validation' },
} as const;

const body = (part: keyof Body, over: object) => {
  const whole: Body = anOnboarding('acme');
  const { [part]: said } = whole;
  return { ...whole, [part]: typeof said === 'object' ? { ...said, ...over } : said };
};

function following({ door: { clients, initiators } }: Api, ...views: ReturnType<typeof aClientView>[]): void {
  const find = (isIt: (view: (typeof views)[number]) => boolean) => Promise.resolve(views.find(isIt));
  clients.view.mockImplementation((uid) => find((view) => view.uid === uid));
  initiators.client.mockImplementation((clientId) => find((view) => view.clientId === clientId));
}

async function pointersOf(api: Api, asked: object): Promise<unknown[]> {
  const { errors = [] } = await problemIn(await post(api, PATH, asked));
  expect(api.door.onboardings.start).not.toHaveBeenCalled();
  return errors.map(({ pointer }) => pointer);
}

describe('POST /v1/onboardings', () => {
  const account = { type: 'bban', value: '200009-99999999' } as const;
  test.each<[string, keyof Body, object]>([
    ['/client/australian_business_number', 'client', { australian_business_number: '53004085617' }],
    ['/client/australian_company_number', 'client', { australian_company_number: '004085617' }],
    ['/client/services', 'client', { services: ['rtp'] }],
    ['/counterparty/payment_accounts', 'counterparty', { payment_accounts: [] }],
    [
      '/counterparty/payment_accounts/0/party_name',
      'counterparty',
      { payment_accounts: [{ account_identifier: account, verification: { method: 'account_validation' } }] },
    ],
    [
      '/counterparty/payment_accounts/0/account_identifier/value',
      'counterparty',
      { payment_accounts: [{ party_name: 'A', account_identifier: { type: 'bban', value: '2000-9' } }] },
    ],
    [
      '/agreement/debtor/account_identifier',
      'agreement',
      { debtor: { party_name: 'A', account_identifier: account } },
    ],
    ['/agreement/purpose', 'agreement', { purpose: 'fun' }],
    ['/agreement/initiator/client_id', 'agreement', { initiator: { client_id: 'cl-9' } }],
    ['/payment/amount', 'payment', { amount: 25_001 }],
    ['/payment/submit_before', 'payment', { submit_before: '2026-10-02T00:00:00Z' }],
  ])('refuses an invalid value at %s', async (pointer, part, over) => {
    expect(await pointersOf(anApi(), body(part, over))).toContain(pointer);
  });

  test.each(['suspended', 'off_boarded', 'failed'] as const)('refuses a client that is %s', async (state) => {
    const api = anApi();
    following(api, aClientView({ uid: 'cli-1', state }));
    expect(await pointersOf(api, { ...anOnboarding('acme'), client: { uid: 'cli-1' } })).toEqual([
      '/client/uid',
    ]);
  });

  test('refuses a client of another connection', async () => {
    const api = anApi();
    api.door.clients.view.mockResolvedValue(aClientView({ connectionId: 'other' }));
    expect(await pointersOf(api, { ...body('client', {}), client: { uid: 'cli-1' } })).toEqual([
      '/client/uid',
    ]);
  });

  test('refuses a new client with a parent or depth that is not allowed', async () => {
    const api = anApi();
    api.door.clients.placeOf.mockResolvedValue({
      above: ['cl-1'],
      refusals: [{ pointer: '/parent_client_id', detail: 'expected another parent' }],
    });
    const asked = body('client', { parent_client_id: 'cl-1' });
    expect(await pointersOf(api, asked)).toEqual(['/client/parent_client_id']);
    const [order, depth] = api.door.clients.placeOf.mock.lastCall ?? [];
    expect([order?.parent_client_id, depth]).toEqual(['cl-1', 2]);
  });

  test('refuses an existing client below a suspended client', async () => {
    const api = anApi();
    const above = aClientView({ uid: 'cli-1', state: 'suspended' });
    const particulars = { parent_client_id: 'cl-1' };
    following(api, aClientView({ uid: 'cli-2', state: 'active', clientId: 'cl-2', particulars }), above);
    expect(await pointersOf(api, { ...anOnboarding('acme'), client: { uid: 'cli-2' } })).toEqual([
      '/client/uid',
    ]);
  });

  test('requires verification of the payer for a high-risk client', async () => {
    const asked = body('client', { merchant_category_code: '7995' });
    const [only] = asked.counterparty.payment_accounts;
    if (only === undefined) throw new Error('expected an account');
    const { verification: _, ...unverified } = only;
    const counterparty = { payment_accounts: [unverified] };
    const api = anApi();
    following(api);
    expect(await pointersOf(api, { ...asked, counterparty })).toEqual([
      '/counterparty/identity',
      '/counterparty/payment_accounts/0/verification',
    ]);
  });

  test('derives the uid of each part from the onboarding id and accepts a repeat', async () => {
    const api = anApi();
    const asked = anOnboarding('acme');
    expect((await post(api, PATH, asked)).status).toBe(202);
    expect((await post(api, PATH, asked)).status).toBe(202);
    const [first, second] = api.door.onboardings.start.mock.calls.map(([{ parts }]) => parts);
    expect(first).toEqual(second);
    const uids = PARTS.map((part) => first && uidOf(first, part));
    expect(new Set(uids).size).toBe(4);
    const started = newOnboarding(
      { id: asked.id, connectionId: 'acme', requested: {}, ...someParts() },
      '2026-10-01T00:00:00Z',
    );
    api.door.onboardings.view.mockResolvedValue(viewOf(started));
    const late = { ...asked, payment: { ...asked.payment, amount: 99_999 } };
    expect((await post(api, PATH, late)).status).toBe(202);
  });
});

describe('commands to an onboarding', () => {
  const said = { reason: 'as agreed' };
  const key = { 'Idempotency-Key': 'k1' };
  const anOnboardingThere = () => {
    const api = anApi();
    const begun = newOnboarding(
      { id: 'onb-1', connectionId: 'acme', requested: {}, ...someParts() },
      '2026-10-01T00:00:00Z',
    );
    api.door.onboardings.view.mockResolvedValue(viewOf(begun));
    return api;
  };

  test.each(['resumption', 'skip', 'abandonment'])('pass on the reason and principal: %s', async (kind) => {
    const api = anOnboardingThere();
    expect((await post(api, `${PATH}/onb-1/${kind}`, said, key)).status).toBe(202);
    expect(api.door.onboardings.command).toHaveBeenCalledWith(
      'onb-1',
      expect.objectContaining({ kind, ...said, by: 'key-all' }),
    );
  });

  test.each<[object, string]>([
    [said, ''],
    [
      { ...said, payment: { amount: 1, retry: { attempts: 0, every_seconds: 60 } } },
      '/payment/retry/attempts',
    ],
    [{ agreement: anOnboarding('acme').agreement }, '/reason'],
  ])('refuse the correction %j with a pointer to "%s"', async (asked, pointer) => {
    const api = anOnboardingThere();
    const { errors } = await problemIn(await post(api, `${PATH}/onb-1/correction`, asked, key));
    expect(errors?.map((error) => error.pointer)).toContain(pointer);
    expect(api.door.onboardings.command).not.toHaveBeenCalled();
  });

  test.each<[string, object, string]>([
    [
      'two parts',
      { counterparty: { payment_accounts: [OTHER_ACCOUNT] }, agreement: anOnboarding('acme').agreement },
      '',
    ],
    [
      'a high-risk client with unverified accounts',
      { client: { ...anOnboarding('acme').client, merchant_category_code: '7995' } },
      '/counterparty/identity',
    ],
    ['an unknown client', { client: { client_id: 'cl-404' } }, '/client/client_id'],
  ])('refuse a correction to %s', async (_what, asked, pointer) => {
    const api = anOnboardingThere();
    following(api);
    const { errors } = await problemIn(
      await post(api, `${PATH}/onb-1/correction`, { ...said, ...asked }, key),
    );
    expect(errors?.map((error) => error.pointer)).toContain(pointer);
  });

  test('give a corrected part a new uid', async () => {
    const api = anOnboardingThere();
    const { agreement } = anOnboarding('acme');
    expect((await post(api, `${PATH}/onb-1/correction`, { ...said, agreement }, key)).status).toBe(202);
    const [, { parts } = { parts: undefined }] = api.door.onboardings.command.mock.calls[0] ?? [];
    expect(parts?.agreement?.uid).not.toBe(someParts().parts.agreement.uid);
  });
});
