// What an agreement and a payment say, in the provider's own field names (docs/provider.md#agreements-creation, #payments-creation).
// The types of the schemas, for all that zod must not reach.
import type { AccountIdentifier } from './mandate.schema.js';
export type { AccountIdentifier, Mandate, Party, PaymentTerms } from './mandate.schema.js';
export type { PaymentOrder } from '../payment/request.schema.js';

/** Whether an account is named by a PayID. */
export const isAlias = ({ type }: Pick<AccountIdentifier, 'type'>): boolean => type.startsWith('alias_');
