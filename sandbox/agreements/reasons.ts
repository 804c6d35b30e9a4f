// Why an agreement was paused or ended: what callers may give (facts 7.4), and the scheme's codes it becomes (facts 10).
import type { Explanation, Reason } from './agreement-action.schema.js';

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

/** Which scheme code stands for which of the documented words is not documented: this is our reading of their names. */
const CODE_OF = {
  customer_requested: 'MD16',
  initiating_party_requested: 'MD17',
  mandate_expired: 'CTEX',
  mandate_suspended_final_collection: 'MCFC',
  mandate_suspended_one_collection: 'MCOC',
} as const satisfies Record<string, SchemeCode>;
export type ReasonWord = keyof typeof CODE_OF;

/** A guide names four more (suspected_fraudulent, contract_expired, regulatory, no_answer): they are refused here. */
export const REASON_WORDS = {
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
} as const satisfies Record<string, readonly ReasonWord[]>;

export function reasonOf(code: SchemeCode, narrative: string | null = null): Reason {
  return { code, ...SCHEME[code], narrative };
}

/** The reason that a caller gave by its word. */
export function reasonFrom(word: ReasonWord, narrative: string | null): Reason {
  return reasonOf(CODE_OF[word], narrative);
}

/** A resource says why without the narrative, which events alone carry. */
export function withoutNarrative({ code, title, detail }: Explanation): Explanation {
  return { code, title, detail };
}
