// Why an agreement was suspended or ended, and why an accepted request failed later.
import { DETAILS, TITLES } from '../http/error-codes.js';
import type { Explanation, Reason } from '../store/action.schema.js';

// The scheme's codes, with the provider's texts for suspended and cancelled agreements (docs/provider.md#events).
const SCHEME = {
  AC02: { title: 'Invalid Debtor Account', detail: 'The Payer Customer Account does not exist within NPP' },
  AC04: {
    title: 'Closed Account Number',
    detail: 'The account has been closed and the Mandate is no longer valid',
  },
  AC05: { title: 'Closed Debtor Account', detail: 'The Payer Customer account is closed' },
  AC06: { title: 'Blocked Account', detail: 'The Payer Customer Account is blocked' },
  AC13: {
    title: 'Invalid Debtor Account Type',
    detail: 'The Payer Customer Account does not allow funds to be debited within NPP',
  },
  AG01: { title: 'Transaction Forbidden', detail: 'The Payer Customer Account is unable to be debited' },
  AG03: {
    title: 'Transaction Not Supported',
    detail:
      'The Payer Customer Account is able to make NPP Payments, but is not able to make NPP Payments to the Payee Customer Account type',
  },
  AM03: { title: 'Not Allowed Currency', detail: 'The Payer Customer Account cannot draw funds in AUD' },
  AM12: { title: 'Invalid Amount', detail: 'No amount and/or no maximum amount have been specified' },
  AM14: {
    title: 'Amount Exceeds Agreed Limit',
    detail: 'The specified amount would exceed the allowed Transaction amount for the Payer Customer Account',
  },
  MD07: { title: 'End Customer Deceased', detail: 'End customer is deceased' },
  MD08: {
    title: 'No Mandate Service By Agent',
    detail: 'The Mandate Service is no longer supported by the Agent',
  },
  MD09: {
    title: 'No Agreement Service On Customer',
    detail: 'The Payer Customer Account does not support the given agreement type',
  },
  MD16: {
    title: 'Requested By Customer',
    detail: 'Agreement/Amendment action requested by the Payer Customer',
  },
  MD17: {
    title: 'Requested By Initiating Party',
    detail: 'Cancellation/amendment requested by the creditor or by the initiating party',
  },
  MD20: { title: 'Agreement Expired', detail: 'Contact the service for more information' },
  MD21: {
    title: 'Agreement Cancelled Due To Fraud',
    detail: 'The Payer Participant detects fraud within the Agreement',
  },
  MS02: {
    title: 'Not Specified Reason Customer Generated',
    detail: 'The payment was rejected by the Debtor Customer, but no reason was provided',
  },
  MS03: {
    title: 'Not Specified Reason Agent Generated',
    detail: 'The payment was rejected by the Responding Participant, but no reason was provided',
  },
  NARR: { title: 'Narrative', detail: 'Contact the service for more information' },
  RR04: { title: 'Regulatory Reason', detail: 'The Agreement/Payment is rejected due to regulatory reasons' },
  SL01: {
    title: 'Specific Service offered by Debtor Agent',
    detail:
      'The NPP Payment Initiation Request was rejected specifically due to a service offered by the Responding Participant',
  },
  SL11: {
    title: 'Creditor not on Whitelist of Debtor',
    detail: "The Payee or the Initiating Party is not included in the Payer Customer's whitelist",
  },
  SL12: {
    title: 'Creditor on Blacklist of Debtor',
    detail: "The Payee or the Initiating Party is included in the Payer Customer's blacklist",
  },
  CTAM: { title: 'Contract Amended', detail: 'Mandate suspended due to amendment of the contract' },
  CTCA: {
    title: 'Contract Cancellation Initiated By Debtor',
    detail: 'Mandate suspended due to cancellation of the contract, requested by the debtor',
  },
  CTEX: { title: 'Contract Expired', detail: 'Mandate suspended due to the contract that expired' },
  MCFC: {
    title: 'Mandate Suspended Final Collection',
    detail: 'Mandate suspended as final collection took place',
  },
  MCOC: {
    title: 'Mandate Suspended Once Off Collection',
    detail: 'Mandate suspended as the once off collection took place',
  },
  MSUC: {
    title: 'Mandate Suspended 7 Consecutive Unsuccessful Collections',
    detail: 'Mandate suspended after 7 consecutive unsuccessful collections',
  },
  NOAS: {
    title: 'No Answer From Customer',
    detail:
      'The Payer Participant declines the Agreement on behalf of the Payer Customer because there was no response from the Payer Customer',
  },
} as const;
export type SchemeCode = keyof typeof SCHEME;

/**
 * The reasons that callers can give. A simulated debtor can give any of them. The documents do not map them to codes: both
 * lists are documented in the same order, and their names agree.
 */
const CODE_OF = {
  invalid_debtor_account_number: 'AC02',
  closed_account_number: 'AC04',
  closed_debtor_account_number: 'AC05',
  blocked_account: 'AC06',
  invalid_debtor_account_type: 'AC13',
  transaction_forbidden: 'AG01',
  transaction_not_supported: 'AG03',
  not_allowed_currency: 'AM03',
  not_allowed_amount: 'AM12',
  amount_exceeds_agreed_limit: 'AM14',
  customer_deceased: 'MD07',
  no_mandate_service_agent: 'MD08',
  no_mandate_service_customer: 'MD09',
  customer_requested: 'MD16',
  initiating_party_requested: 'MD17',
  mandate_expired: 'MD20',
  suspected_fraudulent: 'MD21',
  no_reason_customer: 'MS02',
  no_reason_agent: 'MS03',
  narrative: 'NARR',
  regulatory: 'RR04',
  no_service_debtor: 'SL01',
  creditor_not_whitelisted_by_debtor: 'SL11',
  creditor_blacklisted_by_debtor: 'SL12',
  contract_amended: 'CTAM',
  debtor_cancellation_requested: 'CTCA',
  contract_expired: 'CTEX',
  mandate_suspended_final_collection: 'MCFC',
  mandate_suspended_one_collection: 'MCOC',
  mandate_suspended_failed_collections: 'MSUC',
  no_answer: 'NOAS',
} as const satisfies Record<string, SchemeCode>;
export type CallerReason = keyof typeof CODE_OF;

/** The reasons that the initiator can give (docs/provider.md#agreements-actions). */
export const REASONS = {
  cancellation: [
    'customer_requested',
    'initiating_party_requested',
    'mandate_expired',
    'mandate_suspended_final_collection',
    'mandate_suspended_one_collection',
  ],
  suspension: [
    'customer_requested',
    'initiating_party_requested',
    'mandate_suspended_final_collection',
    'mandate_suspended_one_collection',
  ],
} as const satisfies Record<string, readonly CallerReason[]>;

const isReason = (word: string): word is CallerReason => Object.hasOwn(CODE_OF, word);
/** The reasons that a simulated debtor can give. */
export const DEBTOR_REASONS: readonly CallerReason[] = Object.keys(CODE_OF).filter(isReason);

export function reasonOf(code: SchemeCode, narrative: string | null = null): Reason {
  return { code, ...SCHEME[code], narrative };
}

/** The scheme's reason for a caller's reason. */
export function reasonFrom(given: CallerReason, narrative: string | null): Reason {
  return reasonOf(CODE_OF[given], narrative);
}

/** Resources omit the narrative: only events carry it. */
export function withoutNarrative({ code, title, detail }: Explanation): Explanation {
  return { code, title, detail };
}

// Why an accepted request failed, as shown in the `failure` field of its event (docs/provider.md#events).

/** The prefix of the detail of every scheme failure. */
const CONTACT = 'Contact the service for more information:';

/** Failures come from the provider's rules (ZPUNP) or from the scheme (MMS.API.9xxx, documented by number only). */
export const FAILURES = {
  debtor_account_type_not_supported: {
    code: 'ZPUNP01',
    title: TITLES.ZPUNP01,
    detail: DETAILS.ZPUNP01,
  },
  debtor_alias_not_found: { code: 'ZPUNP07', title: TITLES.ZPUNP07, detail: DETAILS.ZPUNP07 },
  creditor_alias_not_found: { code: 'ZPUNP08', title: TITLES.ZPUNP08, detail: DETAILS.ZPUNP08 },
  alias_resolution_service_unavailable: {
    code: 'ZPUNP06',
    title: TITLES.ZPUNP06,
    detail: DETAILS.ZPUNP06,
  },
  agreement_service_unavailable: {
    code: 'MMS.API.9000',
    title: 'Agreement service unavailable',
    detail: `${CONTACT} The agreement service of the scheme could not be reached.`,
  },
  refused_by_scheme: {
    code: 'MMS.API.9001',
    title: 'Refused by the scheme',
    detail: `${CONTACT} The agreement service of the scheme did not carry it out.`,
  },
  state_has_changed: {
    code: 'MMS.API.9002',
    title: 'Agreement state has changed',
    detail: `${CONTACT} The state of the agreement no longer allows it.`,
  },
  agreement_has_ended: {
    code: 'MMS.API.9003',
    title: 'Agreement has ended',
    detail: `${CONTACT} The agreement ended before the amendment was decided.`,
  },
  amendment_is_decided: {
    code: 'MMS.API.9005',
    title: 'Amendment already decided',
    detail: `${CONTACT} The amendment was decided before it could be recalled.`,
  },
} as const satisfies Record<string, Explanation>;
