// What operators can filter by in lists (docs/architecture.md#search-attributes). Never personal data: they are stored in the clear.
// Apart from the contract, which needs the SDK of workflows: what a workflow publishes is decided without it.
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
export const LAST_FACT_AT = defineSearchAttributeKey('LastFactAt', DATETIME);
/** When it was asked for: the same in each of its runs, which begin later. Of an agreement: when its payer was asked. */
export const REQUESTED_AT = defineSearchAttributeKey('RequestedAt', DATETIME);
/** The clients above a client, its parent first. */
export const CLIENTS_ABOVE = defineSearchAttributeKey('ClientsAbove', KEYWORD_LIST);
/** Of a counterparty's payment accounts: given to it at its start, as none is added or changed. */
export const PAYMENT_ACCOUNT_UIDS = defineSearchAttributeKey('PaymentAccountUids', KEYWORD_LIST);
export const ATTENTION = defineSearchAttributeKey('Attention', KEYWORD_LIST);

/** All of them, as they are registered with a server. */
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
  LAST_FACT_AT,
  REQUESTED_AT,
  CLIENTS_ABOVE,
  PAYMENT_ACCOUNT_UIDS,
  ATTENTION,
] as const;
