// Why an agreement was paused or ended, and why something that was accepted failed after all.
import type { Explanation, Reason } from '../store/action.schema.js';

// What callers may give as a reason (docs/provider.md#agreements-actions), and the scheme's codes it becomes (docs/provider.md#events).
const SCHEME = {
  CTEX: { title: 'Contract expired', detail: 'The contract behind the agreement has expired.' },
  MCFC: { title: 'Final collection made', detail: 'The final collection under the agreement has been made.' },
  MCOC: {
    title: 'One-off collection made',
    detail: 'The only collection under the agreement has been made.',
  },
  MD07: { title: 'End customer deceased', detail: 'The customer is deceased.' },
  MD16: { title: 'Requested by customer', detail: 'The customer asked for it.' },
  MD17: { title: 'Requested by initiating party', detail: 'The initiating party asked for it.' },
  MSUC: { title: 'Unsuccessful collections', detail: 'Seven collections in a row have failed.' },
  NOAS: { title: 'No answer from customer', detail: 'Not resolved before the time requested.' },
} as const;
export type SchemeCode = keyof typeof SCHEME;

/** Which scheme code stands for which of the documented reasons is not documented: this is our reading of their names. */
const CODE_OF = {
  customer_requested: 'MD16',
  initiating_party_requested: 'MD17',
  mandate_expired: 'CTEX',
  mandate_suspended_final_collection: 'MCFC',
  mandate_suspended_one_collection: 'MCOC',
} as const satisfies Record<string, SchemeCode>;
export type CallerReason = keyof typeof CODE_OF;

/** A guide names four more (suspected_fraudulent, contract_expired, regulatory, no_answer): they are refused here. */
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

export function reasonOf(code: SchemeCode, narrative: string | null = null): Reason {
  return { code, ...SCHEME[code], narrative };
}

/** The scheme's reason for the one that a caller gave. */
export function reasonFrom(given: CallerReason, narrative: string | null): Reason {
  return reasonOf(CODE_OF[given], narrative);
}

/** A resource says why without the narrative, which events alone carry. */
export function withoutNarrative({ code, title, detail }: Explanation): Explanation {
  return { code, title, detail };
}

// Why something that was accepted failed after all, as `failure` of its event says (docs/provider.md#events).

/** Failures come from our own rules (ZPUNP) or from the scheme (MMS.API.9xxx, whose numbers are not documented). */
export const FAILURES = {
  debtor_account_type_not_supported: {
    code: 'ZPUNP01',
    title: 'Debtor account type not supported',
    detail: 'The institution of the debtor does not support PayTo for this account.',
  },
  debtor_alias_not_found: {
    code: 'ZPUNP07',
    title: 'Debtor alias not found',
    detail: 'The alias of the debtor is not known to the addressing service.',
  },
  creditor_alias_not_found: {
    code: 'ZPUNP08',
    title: 'Creditor alias not found',
    detail: 'The alias of the creditor is not known to the addressing service.',
  },
  alias_resolution_service_unavailable: {
    code: 'ZPUNP06',
    title: 'Alias resolution unavailable',
    detail: 'The addressing service could not be reached.',
  },
  agreement_service_unavailable: {
    code: 'MMS.API.9000',
    title: 'Agreement service unavailable',
    detail: 'The agreement service of the scheme could not be reached.',
  },
  refused_by_scheme: {
    code: 'MMS.API.9001',
    title: 'Refused by the scheme',
    detail: 'The agreement service of the scheme did not carry it out.',
  },
  state_has_changed: {
    code: 'MMS.API.9002',
    title: 'Agreement state has changed',
    detail: 'The state of the agreement no longer allows it.',
  },
  agreement_has_ended: {
    code: 'MMS.API.9003',
    title: 'Agreement has ended',
    detail: 'The agreement ended before the amendment was decided.',
  },
  amendment_is_decided: {
    code: 'MMS.API.9004',
    title: 'Amendment already decided',
    detail: 'The amendment was decided before it could be recalled.',
  },
} as const satisfies Record<string, Explanation>;
