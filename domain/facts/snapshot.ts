// Snapshots of the provider's resources, translated for workflows and activities.
import type { Fact, Instant, Reason } from './fact.js';
import type { ClientParticulars } from '../client/request.schema.js';
import type { Mandate, Party, PaymentOrder } from '../agreement/mandate.js';
import type { PaymentFailure } from '../payment/lifecycle.js';
import type { RefundOrder } from '../refund/request.schema.js';

/** Replaces a missing state in an answer. It is not a state of the provider, so it causes a look-up like any unknown state. */
export const MISSING_STATE = 'unknown';

/** The fields of every followed resource. */
export interface ResourceSnapshot {
  uid: string;
  /** The provider's state, which may be unknown to us. */
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
  debtor?: Party | undefined;
}

export interface RefundSnapshot extends ResourceSnapshot {
  /** The fields that the provider returned. */
  order: Partial<Pick<RefundOrder, 'original_payment_uid'>> & { refund_payment?: RefundPayment | undefined };
  failure?: RefundFailure | undefined;
}

export interface ClientSnapshot extends ResourceSnapshot {
  /** The provider's id. */
  clientId: string;
  particulars: ClientParticulars;
  /** If we searched by business: the ids of all matching clients. This snapshot shows the first one. */
  fits?: string[] | undefined;
  /** The parent is a client that is followed here. */
  isParentFollowed?: boolean | undefined;
}

/** The provider's answer to a registration. It never shows the counterparty again. */
export interface CounterpartySnapshot extends ResourceSnapshot {
  /** The provider's id. */
  counterpartyId?: string | undefined;
  /** The uids of its accounts, in the requested order. */
  accountUids: string[];
  /** The provider refused it because these uids are taken: an earlier submission of ours registered it. */
  isTaken?: true | undefined;
}

/** The provider does not show whether a refund is retryable. */
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

/** A fetched snapshot, with the resource's history if it has one and we read it. */
export interface Fetched<Snapshot extends ResourceSnapshot> {
  /** When its first request was made, by our clock. */
  fetchedAt: Instant;
  snapshot: Snapshot;
  history: Fact[];
}

/** Why the provider refused a request. */
export interface Refusal {
  code?: string | undefined;
  title?: string | undefined;
  /** What a person should do about it. This is our text, from the error table or for one of our own codes. */
  next?: string | undefined;
  /** Milliseconds until the provider may accept it. */
  retryAfterMs?: number | undefined;
  /** It is temporary, such as a daily limit: the same request may be accepted later. */
  isTemporary?: true | undefined;
}
