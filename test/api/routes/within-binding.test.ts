import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { secretOf } from '../../../sealing/secret.js';
import { anApi, post } from '../../support/api/app.js';
import { aClientView, anAgreement } from '../../support/api/builders.js';
import { anOnboarding } from '../../support/an-onboarding.js';

const CLIENT = aClientView({ uid: 'cli-7', clientId: 'cl-7', connectionId: 'other-merchant' });
const ACCOUNT = {
  ...{ type: 'bban', value: '200001-12340001', connectionId: 'other-merchant' },
  ...{ isRegistered: true, isVerified: true },
} as const;

/** @param isThere whether the client and the account exist, on another connection. */
function aBoundCaller(isThere: boolean) {
  const api = anApi();
  const sha256 = secretOf(createHash('sha256').update('bound').digest());
  api.keysNow.push({ id: 'bound', principal: 'bound', scopes: ['write'], sha256, connections: ['acme'] });
  const { agreements, initiators, clients, onboardings } = api.door;
  agreements.view.mockResolvedValue(undefined);
  onboardings.view.mockResolvedValue(undefined);
  initiators.client.mockResolvedValue(isThere ? CLIENT : undefined);
  initiators.account.mockResolvedValue(isThere ? ACCOUNT : undefined);
  clients.view.mockResolvedValue(isThere ? CLIENT : undefined);
  clients.uidOf.mockResolvedValue(isThere ? 'cli-7' : undefined);
  return api;
}

const agreement = { ...anAgreement(), connection: 'acme' };
const { client: _, ...onboarding } = anOnboarding('acme');

test.each<[string, string, object]>([
  ['the client of an agreement', '/v1/agreements', { ...agreement, initiator: { client_id: 'cl-7' } }],
  [
    'the account of an agreement',
    '/v1/agreements',
    { ...agreement, debtor: { ...agreement.debtor, payment_account_uid: 'acc-7' } },
  ],
  ['the client of an onboarding', '/v1/onboardings', { ...onboarding, client: { uid: 'cli-7' } }],
  [
    'the provider’s client of an onboarding',
    '/v1/onboardings',
    { ...onboarding, client: { client_id: 'cl-7' } },
  ],
])(
  'a bound key gets the same answer whether %s is on another connection or nowhere',
  async (_name, path, body) => {
    const answers = [true, false].map(async (isThere) => {
      const api = aBoundCaller(isThere);
      const answer = await post(api, path, body, { authorization: 'Bearer bound', 'idempotency-key': 'k1' });
      const { request_id: __, ...said } = (await answer.json()) as { request_id?: string };
      return [answer.status, said, api.door.onboardings.start.mock.lastCall];
    });
    const [there, nowhere] = await Promise.all(answers);
    expect(there).toEqual(nowhere);
    expect(JSON.stringify(there)).not.toContain('other-merchant');
  },
);
