// The one webhook of the sandbox, as the provider shows it (facts 4): it is set up in a portal, not by a call.
import type { Settings } from '../settings.js';

export const WEBHOOK_ID = '0195f1f0-7a11-7c00-8a00-3eb000000001';

/** Everything it is sent (facts 10). */
const EVENT_TYPES = [
  ...[
    'activated', 'declined', 'expired', 'failed', 'cancelled', 'suspended', 'reactivated', 'amended',
    'cancellation_failed', 'suspension_failed', 'reactivation_failed',
    'amendment_declined', 'amendment_expired', 'amendment_failed',
    'amended_recalled', 'amendment_recalled', 'amendment_recall_failed',
  ].map((name) => `payto_agreement.${name}`),
  ...['settled', 'failed', 'pending', 'under_investigation'].map((name) => `payto_payment.${name}`),
  ...['processed', 'failed'].map((name) => `payto_refund.${name}`),
  'float_accounts.unmatched_credit.received',
]; // prettier-ignore

/** With its secret: documented, and how an integrator learns it. */
export function webhookRecord({ webhookUrl, webhookSecret }: Settings) {
  return { id: WEBHOOK_ID, url: webhookUrl, signature_secret: webhookSecret, events: EVENT_TYPES };
}

export const isOurWebhook = (id: string): boolean => id === WEBHOOK_ID;
