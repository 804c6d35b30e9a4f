// Terms as the provider keeps them, of terms as a caller wrote them: every field is there, null where it was left out.
import type { PaymentTerms } from './agreement.schema.js';
import type { Terms } from './terms.schema.js';

export function termsFrom(terms: Terms): PaymentTerms {
  return {
    type: terms.type,
    frequency: terms.frequency,
    count: terms.count ?? null,
    max_amount: terms.max_amount ?? null,
    amount: terms.amount ?? null,
    first_payment_amount: terms.first_payment_amount ?? null,
    last_payment_amount: terms.last_payment_amount ?? null,
    first_payment_date: terms.first_payment_date ?? null,
    last_payment_date: terms.last_payment_date ?? null,
  };
}
