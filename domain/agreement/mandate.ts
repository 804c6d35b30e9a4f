// The terms of agreements and payments, with the provider's field names (docs/provider.md#agreements-creation, #payments-creation).
// The types of the schemas, for code that must not load zod.
import type { AccountIdentifier } from './mandate.schema.js';
export type { AccountIdentifier, Mandate, Party, PaymentTerms } from './mandate.schema.js';
export type { PaymentOrder } from '../payment/request.schema.js';

/** Whether the account is a PayID. */
export const isAlias = ({ type }: Pick<AccountIdentifier, 'type'>): boolean => type.startsWith('alias_');
