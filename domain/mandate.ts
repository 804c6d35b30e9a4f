// What an agreement says: the terms a payer accepts, in the provider's own field names (interface 2.3).
// Looser than what callers may send, since it also holds what the provider answers. Pure.
import type { Json } from './fact.js';

export interface AccountIdentifier {
  type: string;
  value: string;
}

export interface Party {
  party_name?: string | null | undefined;
  ultimate_party_name?: string | null | undefined;
  account_identifier?: AccountIdentifier | null | undefined;
  payment_account_uid?: string | null | undefined;
}

export interface PaymentTerms {
  type?: string | null | undefined;
  frequency?: string | null | undefined;
  count?: number | null | undefined;
  amount?: number | null | undefined;
  max_amount?: number | null | undefined;
  first_payment_amount?: number | null | undefined;
  last_payment_amount?: number | null | undefined;
  first_payment_date?: string | null | undefined;
  last_payment_date?: string | null | undefined;
}

export interface Mandate {
  purpose?: string | null | undefined;
  description?: string | null | undefined;
  debtor?: Party | null | undefined;
  creditor?: Party | null | undefined;
  initiator?: { name?: string | null | undefined; client_id?: string | null | undefined } | null | undefined;
  payment_terms?: PaymentTerms | null | undefined;
  validity_start_date?: string | null | undefined;
  validity_end_date?: string | null | undefined;
  resolution_requested_before?: string | null | undefined;
  cancel_if_unresolved?: boolean | null | undefined;
  metadata?: { [key: string]: Json } | null | undefined;
}

/** What a payment asks for, in the provider's own field names (facts 8.1). */
export interface PaymentOrder {
  agreement_uid: string;
  amount: number;
  priority: string;
  reference: string;
  description: string;
  creditor_reference: string;
  creditor?: Party | null | undefined;
  last_payment?: boolean | null | undefined;
  metadata?: { [key: string]: Json } | null | undefined;
}
