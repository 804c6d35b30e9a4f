import { expect, test } from 'vitest';
import { resolveAliasActivity } from '../../../activities/agreement/resolve-alias.js';
import { PaymentsApiError } from '../../../payments-api/errors.js';
import type { Dependencies } from '../../../activities/dependencies.js';

const CALL = { accessToken: 'token' };
const ASKED = {
  connectionId: 'acme',
  account: { type: 'alias_email', value: 'a@b.example' },
  payer: { requester_id: 'customer-77', remote_ip: '203.0.113.7' },
};
const resolving = (resolveAlias: Dependencies['payments']['resolveAlias']) =>
  resolveAliasActivity({
    payments: { resolveAlias } as Dependencies['payments'],
    withAccess: (_connectionId, work) => work(CALL),
  })(ASKED);

test('a PayID is resolved for the payer, and its name is returned', async () => {
  const requester = { id: 'customer-77', remote_ip: '203.0.113.7' };
  const answer = await resolving((request) => {
    expect(request).toEqual({ ...ASKED.account, requester });
    return Promise.resolve({ display_name: 'Ada P' });
  });
  expect(answer).toEqual({ name: 'Ada P' });
});

test.each([
  ['rejected', true],
  ['forbidden', true],
  ['unavailable', false],
  ['not_found', false],
] as const)('the error %s is non-retryable: %s', async (code, nonRetryable) => {
  const problems = [{ code: 'ZPADD02' }];
  const failed = resolving(() => Promise.reject(new PaymentsApiError(code, 'm', { status: 422, problems })));
  await expect(failed).rejects.toMatchObject({ type: code, nonRetryable, details: [{ means: 'limit' }] });
});
