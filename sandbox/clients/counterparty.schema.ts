// What the provider keeps of a counterparty: who it is, its accounts, and how either was verified. No behaviour here.
import { z } from 'zod';
import { AccountIdentifier } from '../entities.schema.js';

export const VerificationMethod = z.enum(['account_validation', 'alias_resolution', 'third_party_provider']);

export const Verification = z.object({
  method: VerificationMethod,
  provider_name: z.string().nullable(),
  reference: z.string().nullable(),
  verified_at: z.string().nullable(),
});
export type Verification = z.output<typeof Verification>;

export const Counterparty = z.object({
  id: z.string(),
  created_at: z.string(),
  identity: z.object({ legal_name: z.string(), verification: Verification }).nullable(),
  /** In the order in which they were given. */
  payment_account_uids: z.array(z.string()),
});
export type Counterparty = z.output<typeof Counterparty>;

export const PaymentAccount = z.object({
  uid: z.string(),
  counterparty_id: z.string(),
  account_identifier: AccountIdentifier,
  verification: Verification.nullable(),
});
export type PaymentAccount = z.output<typeof PaymentAccount>;
