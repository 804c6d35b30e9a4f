// What the provider's own resources showed when they were read, translated. Workflows and activities pass these on.
import type { Fact, Instant, Reason } from './fact.js';
import type { ClientParticulars } from '../client/request.schema.js';
import type { Mandate, Party, PaymentOrder } from '../agreement/mandate.js';
import type { PaymentFailure } from '../payment/lifecycle.js';
import type { RefundOrder } from '../refund/request.schema.js';

/** What stands for a state that an answer does not name: no state of the provider's, and so looked up like any that we do not know. */
export const MISSING_STATE = 'unknown';

/** What every followed resource shows. */
export interface ResourceSnapshot {
  uid: string;
  /** The provider's word; perhaps one that we do not know. */
  state: string;
  causedBy?: string | undefined;
  reason?: Reason | undefined;
  /** By the provider's clock. */
  createdAt?: Instant | undefined;
}

export interface AgreementSnapshot extends ResourceSnapshot {
  mmsAgreementId?: string | undefined;
  mandate: Mandate;
}

export interface PaymentSnapshot extends ResourceSnapshot {
  order: Partial<PaymentOrder>;
  failure?: PaymentFailure | undefined;
  /** Who pays. */
  debtor?: Party | undefined;
}

export interface RefundSnapshot extends ResourceSnapshot {
  /** As much of it as was answered. */
  order: Partial<Pick<RefundOrder, 'original_payment_uid'>> & { refund_payment?: RefundPayment | undefined };
  failure?: RefundFailure | undefined;
}

export interface ClientSnapshot extends ResourceSnapshot {
  /** The provider's own. */
  clientId: string;
  particulars: ClientParticulars;
  /** Of one that was looked for by its business: the ids of all that fit, the first of which this shows. */
  fits?: string[] | undefined;
  /** Its parent is a client that is followed here. */
  isParentFollowed?: boolean | undefined;
}

/** What the provider answers when it registers one; it shows none again. */
export interface CounterpartySnapshot extends ResourceSnapshot {
  /** The provider's own. */
  counterpartyId?: string | undefined;
  /** Of its accounts, in the order in which they were asked for. */
  accountUids: string[];
  /** It was refused as these uids are taken: it is there, from an earlier submission of ours. */
  isTaken?: true | undefined;
}

/** Nothing says whether it may be tried again. */
export type RefundFailure = Omit<PaymentFailure, 'retryable'>;

/** How a refund is paid, as the provider shows it. */
export interface RefundPayment {
  type?: string | undefined;
  uid?: string | undefined;
  agreement_uid?: string | undefined;
  float_bank_account_id?: string | undefined;
  amount?: number | undefined;
  description?: string | undefined;
}

/** A snapshot as it was fetched, with the resource's history where it has one and it was read. */
export interface Fetched<Snapshot extends ResourceSnapshot> {
  /** When the first request of it was made, by our clock. */
  fetchedAt: Instant;
  snapshot: Snapshot;
  history: Fact[];
}

/** Why the provider would not take what it was sent. */
export interface Refusal {
  code?: string | undefined;
  title?: string | undefined;
  /** What a person should do about it: ours, from the error table or of our own code. */
  next?: string | undefined;
  /** Milliseconds after which it may take it. */
  retryAfterMs?: number | undefined;
}
