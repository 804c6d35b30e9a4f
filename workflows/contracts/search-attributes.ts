// Search attributes for lists (docs/architecture.md#search-attributes). Temporal stores them unencrypted: no personal data. This file is separate
// from the contract because publishing must not import the workflow SDK.
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

const { KEYWORD, KEYWORD_LIST, DATETIME } = SearchAttributeType;

export const AGREEMENT_STATE = defineSearchAttributeKey('AgreementState', KEYWORD);
export const PAYMENT_STATE = defineSearchAttributeKey('PaymentState', KEYWORD);
export const REFUND_STATE = defineSearchAttributeKey('RefundState', KEYWORD);
export const CLIENT_STATE = defineSearchAttributeKey('ClientState', KEYWORD);
export const ONBOARDING_STEP = defineSearchAttributeKey('OnboardingStep', KEYWORD);
export const CONNECTION_STATUS = defineSearchAttributeKey('ConnectionStatus', KEYWORD);
export const AWAITING = defineSearchAttributeKey('Awaiting', KEYWORD);
export const CONNECTION_ID = defineSearchAttributeKey('ConnectionId', KEYWORD);
export const CLIENT_ID = defineSearchAttributeKey('ClientId', KEYWORD);
export const AGREEMENT_UID = defineSearchAttributeKey('AgreementUid', KEYWORD);
export const AWAITING_SINCE = defineSearchAttributeKey('AwaitingSince', DATETIME);
/** The clients above a client, its parent first. */
export const CLIENTS_ABOVE = defineSearchAttributeKey('ClientsAbove', KEYWORD_LIST);
/** Set once when a counterparty starts, because its accounts never change. */
export const PAYMENT_ACCOUNT_UIDS = defineSearchAttributeKey('PaymentAccountUids', KEYWORD_LIST);
export const ATTENTION = defineSearchAttributeKey('Attention', KEYWORD_LIST);

/** All search attributes to register with a Temporal server. */
export const SEARCH_ATTRIBUTES = [
  AGREEMENT_STATE,
  PAYMENT_STATE,
  REFUND_STATE,
  CLIENT_STATE,
  ONBOARDING_STEP,
  CONNECTION_STATUS,
  AWAITING,
  CONNECTION_ID,
  CLIENT_ID,
  AGREEMENT_UID,
  AWAITING_SINCE,
  CLIENTS_ABOVE,
  PAYMENT_ACCOUNT_UIDS,
  ATTENTION,
] as const;
