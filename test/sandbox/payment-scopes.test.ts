// Which scope each operation on payments, refunds and float accounts asks for.
import { expect, test } from 'vitest';
import { ALL_SCOPES, callerWith, consent } from './caller.js';
import { FLOAT_ID } from './payment-requests.js';
import { aWorld } from './world.js';

const ENTRIES = `/bank_accounts/${FLOAT_ID}/entries`;

test.each([
  ['GET', '/payto/payments', 'pay_to_payments'],
  ['POST', '/payto/payments', 'pay_to_payments'],
  ['GET', '/payto/payments/none', 'pay_to_payments'],
  ['POST', '/payto/payments/none/retry', 'pay_to_payments'],
  ['GET', '/payto/refunds', 'pay_to_refunds'],
  ['POST', '/payto/refunds', 'pay_to_refunds'],
  ['GET', '/payto/refunds/none', 'pay_to_refunds'],
  ['GET', `/bank_accounts/${FLOAT_ID}`, 'bank_accounts'],
  ['GET', ENTRIES, 'bank_accounts'],
  ['GET', `${ENTRIES}/none`, 'bank_accounts'],
  ['POST', '/simulate/incoming_npp_bban_payment', 'bank_accounts'],
  ['POST', '/simulate/incoming_de_payment', 'bank_accounts'],
])('%s %s needs %s, and nothing else', async (method, path, scope) => {
  const { url } = await aWorld();
  const without = ALL_SCOPES.split(' ').filter((other) => other !== scope);
  const call = async (scopes: string): Promise<{ status: number; challenge: string }> => {
    const caller = callerWith(url, (await consent(url, scopes)).access);
    const { status, headers } = await (method === 'GET' ? caller.get(path) : caller.post(path, {}));
    return { status, challenge: headers.get('www-authenticate') ?? '' };
  };
  const refused = await call(without.join(' '));
  expect(refused.status).toBe(403);
  expect(refused.challenge).toContain(scope);
  expect([200, 404, 422]).toContain((await call(scope)).status);
});
