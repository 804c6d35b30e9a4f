// What the provider's own resources showed at one look, translated. Workflows and activities pass these on.
import type { Fact, Instant, Reason } from './fact.js';
import type { Mandate, PaymentOrder } from './mandate.js';
import type { PaymentFailure } from './payment.js';

export interface AgreementSnapshot {
  uid: string;
  /** The provider's word; perhaps one that we do not know. */
  state: string;
  causedBy?: string | undefined;
  reason?: Reason | undefined;
  mmsAgreementId?: string | undefined;
  createdAt?: Instant | undefined;
  mandate: Mandate;
}

export interface PaymentSnapshot {
  uid: string;
  state: string;
  order: Partial<PaymentOrder>;
  failure?: PaymentFailure | undefined;
  createdAt?: Instant | undefined;
}

/** One look at an agreement: the resource and, where it was read, its history. */
export interface AgreementLook {
  /** When the look began, by our clock. */
  lookedAt: Instant;
  agreement: AgreementSnapshot;
  history: Fact[];
}

export interface PaymentLook {
  lookedAt: Instant;
  payment: PaymentSnapshot;
}
