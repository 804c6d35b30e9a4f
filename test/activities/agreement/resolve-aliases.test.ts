import { ApplicationFailure } from '@temporalio/common';
import { describe, expect, test, vi } from 'vitest';
import { resolveAliases } from '../../../activities/agreement/resolve-aliases.js';
import { PaymentsApiError } from '../../../payments-api/errors.js';
import type { AccountIdentifier, Mandate } from '../../../domain/agreement/mandate.js';

const CALL = { accessToken: 'token' };
const PAYER = { requester_id: 'customer-77', remote_ip: '203.0.113.7' };
const PAYID = { type: 'alias_email', value: 'a@b.example' };
const BBAN = { type: 'bban', value: '200001-12340001' };

const mandate = (debtor: AccountIdentifier, creditor: AccountIdentifier): Mandate => ({
  debtor: { account_identifier: debtor },
  creditor: { account_identifier: creditor },
});
const provider = (resolveAlias = vi.fn(() => Promise.resolve({ display_name: 'A' }))) => ({ resolveAlias });

describe('before an agreement is made', () => {
  test.each([
    ['an account', mandate(BBAN, BBAN), []],
    ['the payer’s PayID', mandate(PAYID, BBAN), ['a@b.example']],
    [
      'two PayIDs',
      mandate(PAYID, { type: 'alias_abn', value: '53004085616' }),
      ['a@b.example', '53004085616'],
    ],
    ['no account at all', {}, []],
  ])('%s is looked up where it is a PayID', async (_, asked, values) => {
    const payments = provider();
    await resolveAliases(payments, asked, PAYER, CALL);
    const requester = { id: 'customer-77', remote_ip: '203.0.113.7' };
    expect(payments.resolveAlias.mock.calls).toEqual(
      values.map((value): unknown => [expect.objectContaining({ value, requester }), CALL]),
    );
  });

  test.each(['unavailable', 'malformed', 'not_found'] as const)('%s is no unknown outcome', async (code) => {
    const failed = vi.fn(() =>
      Promise.reject(new PaymentsApiError(code, 'm', { status: 503, retryAfterMs: 30_000 })),
    );
    const error: unknown = await resolveAliases(provider(failed), mandate(PAYID, BBAN), PAYER, CALL).catch(
      (met: unknown) => met,
    );
    expect(error).toBeInstanceOf(ApplicationFailure);
    expect(error).toMatchObject({ type: 'alias_unresolved', details: [{ retryAfterMs: 30_000 }] });
  });

  test.each(['rejected', 'forbidden', 'unauthorised', 'rate_limited'] as const)(
    '%s says itself what it means',
    async (code) => {
      const failed = vi.fn(() => Promise.reject<{ display_name: string }>(new PaymentsApiError(code, 'm')));
      await expect(resolveAliases(provider(failed), mandate(PAYID, BBAN), PAYER, CALL)).rejects.toMatchObject(
        { code },
      );
    },
  );
});
