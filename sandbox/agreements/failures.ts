// Why something that was accepted failed after all, as `failure` of its event says (facts 10).
import type { Explanation } from './agreement-action.schema.js';

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
