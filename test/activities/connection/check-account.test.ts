import { createSecretKey, randomBytes } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, test, vi } from 'vitest';
import { checkAccountActivity } from '../../../activities/connection/check-account.js';
import { PaymentsApiError } from '../../../payments-api/errors.js';
import { accessContext } from '../../../sealing/contexts.js';
import { seal, type Keyring } from '../../../sealing/keyring.js';
import type { PaymentsApi } from '../../../payments-api/client.js';

const keyring: Keyring = [{ id: 'k', key: createSecretKey(randomBytes(32)) }];
const EXPIRES_AT = '2026-11-01T02:00:00.000Z';

const check = (getUser: PaymentsApi['getUser'], nowMs = Date.parse(EXPIRES_AT) - 1) => {
  const sealedAccess = seal(keyring, 'the-token', accessContext('acme', 101));
  const args = { connectionId: 'acme', generation: 101, expiresAt: EXPIRES_AT, sealedAccess };
  const activity = checkAccountActivity({ tokenKeys: keyring, now: () => nowMs, payments: { getUser } });
  return new MockActivityEnvironment().run(activity, args);
};

test('the account is fetched with the unconfirmed token until that token expires', async () => {
  const getUser = vi.fn<PaymentsApi['getUser']>(() => Promise.resolve({ account: { nickname: 'n' } }));
  expect(await check(getUser)).toMatchObject({ is: 'shown' });
  expect(getUser.mock.calls).toMatchObject([[{ accessToken: 'the-token' }]]);
  expect(await check(getUser, Date.parse(EXPIRES_AT))).toEqual({ is: 'expired' });
  expect(getUser).toHaveBeenCalledTimes(1);
});

test('a rate-limited check is retried after the delay set by the provider', async () => {
  const limited = new PaymentsApiError('rate_limited', 'no', { status: 429, retryAfterMs: 45_000 });
  const failed = { type: 'rate_limited', nonRetryable: false, nextRetryDelay: 45_000 };
  await expect(check(() => Promise.reject(limited))).rejects.toMatchObject(failed);
  expect(await check(() => Promise.resolve({}))).toEqual({ is: 'not_shown' });
});
