// The provider's records of float accounts and their entries. A new store contains one account.
import { z } from 'zod';
import { tableOf } from './entities.schema.js';

const FloatAccountStatus = z.enum(['active', 'removed']);

export const FloatAccount = z.object({
  id: z.string(),
  account_type: z.literal('float_account'),
  branch_code: z.string(),
  bank_name: z.string(),
  account_number: z.string(),
  status: FloatAccountStatus,
  title: z.string(),
  /** Cents; always the sum of the account's entries. */
  available_balance: z.int(),
  payid_configs: z.array(
    z.object({
      email_domain: z.string(),
      pooling_state: z.enum(['disabled', 'enabled', 'paused']),
      max_pool_size: z.int(),
      current_pool_size: z.int(),
    }),
  ),
  /** Whether the account can pay in real time, as refunds require. The API does not return it. */
  real_time: z.boolean(),
  /** The provider account that owns it. */
  owner_id: z.string(),
});
export type FloatAccount = z.output<typeof FloatAccount>;

export const FloatEntry = z.object({
  id: z.string(),
  account_id: z.string(),
  created_at: z.string(),
  description: z.string(),
  /** Cents: positive for a credit, negative for a debit. */
  amount: z.int(),
  available_balance_after: z.int(),
});
export type FloatEntry = z.output<typeof FloatEntry>;

/** The initial account, with the same id in every sandbox. */
export const seededFloatAccount = (): FloatAccount => ({
  id: '0195f1f0-7a11-7c00-8a00-f10a7acc0001',
  account_type: 'float_account',
  branch_code: '200002',
  bank_name: 'Sandbox Bank',
  account_number: '55550001',
  status: 'active',
  title: 'Sandbox Biller float account',
  available_balance: 0,
  payid_configs: [
    { email_domain: 'pay.biller.example', pooling_state: 'disabled', max_pool_size: 0, current_pool_size: 0 },
  ],
  real_time: true,
  owner_id: '0195f1f0-7a11-7c00-8a00-acc000000001',
});

const FloatAccounts = tableOf(FloatAccount).transform((accounts) => {
  const seed = seededFloatAccount();
  return accounts.size === 0 ? new Map([[seed.id, seed]]) : accounts;
});

export const FLOAT_TABLES = {
  floatAccounts: FloatAccounts,
  /** Oldest first. */
  floatEntries: tableOf(FloatEntry),
};

/** The fields that the control API can change. A new balance creates an ordinary entry. */
export const PatchFloatAccount = z.strictObject({
  available_balance: z.int().min(0).max(1_000_000_000_000).optional(),
  status: FloatAccountStatus.optional(),
  real_time: z.boolean().optional(),
});
export type PatchFloatAccount = z.output<typeof PatchFloatAccount>;
