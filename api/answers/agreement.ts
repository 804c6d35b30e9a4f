// From what the agreement workflow says to what callers read.
import type { AgreementView } from '../../workflows/agreement/contract.js';
import type { Mandate } from '../../domain/mandate.js';
import { agreementLinks } from '../links.js';
import type { TemporalUi } from '../links.js';
import type { Agreement, AgreementSummary } from '../schemas/agreement.schema.js';
import type { ListedAgreement } from '../temporal/agreement-list.js';
import { awaitingAnswer, reasonAnswer } from './legible.js';

export function agreementAnswer(ui: TemporalUi, view: AgreementView): Agreement {
  return {
    uid: view.uid,
    connection: view.connectionId ?? null,
    state: view.state,
    state_since: view.stateSince,
    state_caused_by: view.stateCausedBy ?? null,
    state_reason: reasonAnswer(view.stateReason),
    mms_agreement_id: view.mmsAgreementId ?? null,
    adopted: view.adopted,
    created_at: view.createdAt,
    ...mandateAnswer(view.mandate ?? {}),
    awaiting: awaitingAnswer(view.awaiting),
    pending_action: pendingAnswer(view.pending),
    actions: view.actions.map(actionAnswer),
    attention: view.attention,
    payments: {
      count: view.payments.length + view.paymentsOlder,
      last_requested_at: view.payments.at(-1)?.requestedAt ?? null,
    },
    links: agreementLinks(ui, view.uid),
  };
}

/** The oldest of what is under way: whoever waits, waits for that first. */
function pendingAnswer([first]: AgreementView['pending']): Agreement['pending_action'] {
  if (first === undefined) return null;
  const { kind, key = null, askedAt, isAccepted } = first;
  return { kind, key, asked_at: askedAt, accepted: isAccepted };
}

const actionAnswer = (action: AgreementView['actions'][number]): Agreement['actions'][number] => ({
  kind: action.kind,
  key: action.key,
  stage: action.stage,
  asked_at: action.askedAt,
  ended_at: action.endedAt ?? null,
  failure: reasonAnswer(action.failure),
});

const mandateAnswer = (mandate: Mandate) => ({
  purpose: mandate.purpose ?? null,
  description: mandate.description ?? null,
  debtor: mandate.debtor ?? null,
  creditor: mandate.creditor ?? null,
  initiator: mandate.initiator ?? null,
  payment_terms: mandate.payment_terms ?? null,
  validity_start_date: mandate.validity_start_date ?? null,
  validity_end_date: mandate.validity_end_date ?? null,
  resolution_requested_before: mandate.resolution_requested_before ?? null,
  cancel_if_unresolved: mandate.cancel_if_unresolved ?? null,
  metadata: mandate.metadata ?? null,
});

export const summaryAnswer = (ui: TemporalUi, listed: ListedAgreement): AgreementSummary => ({
  uid: listed.uid,
  connection: listed.connectionId ?? null,
  state: listed.state ?? null,
  awaiting: { what: listed.awaiting ?? null, since: listed.awaitingSince ?? null },
  attention: listed.attention,
  last_fact_at: listed.lastFactAt ?? null,
  links: agreementLinks(ui, listed.uid),
});
