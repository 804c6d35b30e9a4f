import { describe, expect, test } from 'vitest';
import { newOnboarding } from '../../../../workflows/onboarding/state.js';
import { viewOf } from '../../../../workflows/onboarding/view.js';
import { anOnboarding } from '../../../support/an-onboarding.js';
import { anApi, post, type Api } from '../../../support/api/app.js';
import { aClientView, problemIn } from '../../../support/api/builders.js';
import { someParts } from '../../../support/workflows/onboarding-parts.js';
import type { PaymentAccount } from '../../../../domain/client/may-initiate.js';

const HIGH_RISK = '7995';
const PATH = '/v1/onboardings';
const { counterparty: _, ...unverified } = anOnboarding('acme');
const ofHighRisk = { ...unverified, client: { ...unverified.client, merchant_category_code: HIGH_RISK } };
const named = { ...ofHighRisk, agreement: withAccount('acc-1') };

function withAccount(uid: string) {
  const { agreement } = unverified;
  return { ...agreement, debtor: { ...agreement.debtor, payment_account_uid: uid } };
}

const account = (isVerified: boolean): PaymentAccount => ({
  type: 'bban',
  value: unverified.agreement.debtor.account_identifier?.value ?? '',
  connectionId: 'acme',
  isRegistered: true,
  isVerified,
});

const pointersOf = async (answer: Response) =>
  (await problemIn(answer)).errors?.map(({ pointer }) => pointer);

function anEmptyApi(): Api {
  const api = anApi();
  api.door.clients.view.mockResolvedValue(undefined);
  return api;
}

describe('onboarding of a high-risk client', () => {
  test('is refused without a counterparty, because the payer would not be verified', async () => {
    expect(await pointersOf(await post(anEmptyApi(), PATH, ofHighRisk))).toEqual([
      '/agreement/debtor/payment_account_uid',
    ]);
  });

  test.each([
    [false, 422],
    [true, 202],
  ])('with a registered account (verified: %s) gets status %d', async (isVerified, status) => {
    const api = anEmptyApi();
    api.door.initiators.account.mockResolvedValue(account(isVerified));
    expect((await post(api, PATH, named)).status).toBe(status);
  });

  test.each([
    ['client', { client: { uid: 'cli-7995' } }, '/client'],
    [
      'agreement',
      { agreement: { ...unverified.agreement, initiator: { client_id: 'cl-7995' } } },
      '/agreement/debtor/payment_account_uid',
    ],
  ])('is also refused in a correction of the %s', async (_what, corrected, pointer) => {
    const api = anApi();
    const { client: __, counterparty: ___, ...parts } = someParts().parts;
    const before = newOnboarding(
      { id: 'onb-1', connectionId: 'acme', requested: {}, parts },
      '2026-10-01T00:00:00Z',
    );
    api.door.onboardings.view.mockResolvedValue(viewOf(before));
    follow(api);
    const answer = await post(
      api,
      `${PATH}/onb-1/correction`,
      { reason: 'as agreed', ...corrected },
      { 'Idempotency-Key': 'k1' },
    );
    expect(await pointersOf(answer)).toContain(pointer);
    expect(api.door.onboardings.command).not.toHaveBeenCalled();
  });
});

function follow({ door: { clients, initiators } }: Api): void {
  const view = aClientView({ uid: 'cli-7995', clientId: 'cl-7995', state: 'active', connectionId: 'acme' });
  const found = {
    ...view,
    order: { ...view.order, merchant_category_code: HIGH_RISK },
    particulars: undefined,
  };
  clients.view.mockResolvedValue(found);
  clients.uidOf.mockResolvedValue('cli-7995');
  initiators.client.mockResolvedValue(found);
}
