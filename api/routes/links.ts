// Links in responses: paths of this API, and the workflow's page in Temporal's UI.
import { agreementWorkflowId } from '../../workflows/agreement/contract.js';
import { batchWorkflowId } from '../../workflows/batch/contract.js';
import { clientWorkflowId } from '../../workflows/client/contract.js';
import { connectionWorkflowId } from '../../workflows/connection/contract.js';
import { floatAccountWorkflowId } from '../../workflows/float-account/contract.js';
import { notificationWorkflowId } from '../../workflows/notification/contract.js';
import { onboardingWorkflowId } from '../../workflows/onboarding/contract.js';
import { counterpartyWorkflowId } from '../../workflows/counterparty/contract.js';
import { paymentWorkflowId } from '../../workflows/payment/contract.js';
import { refundWorkflowId } from '../../workflows/refund/contract.js';
import { unmatchedCreditWorkflowId } from '../../workflows/unmatched-credit/contract.js';

export interface TemporalUi {
  url: string | undefined;
  namespace: string;
}

const pageOf = ({ url, namespace }: TemporalUi, workflowId: string): string | null =>
  url === undefined
    ? null
    : `${url}/namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(workflowId)}`;

export const agreementLinks = (ui: TemporalUi, uid: string) => ({
  self: `/v1/agreements/${uid}`,
  timeline: `/v1/agreements/${uid}/timeline`,
  payments: `/v1/agreements/${uid}/payments`,
  temporal_ui: pageOf(ui, agreementWorkflowId(uid)),
});

export const paymentLinks = (ui: TemporalUi, uid: string, agreementUid: string | undefined) => ({
  self: `/v1/payments/${uid}`,
  timeline: `/v1/payments/${uid}/timeline`,
  agreement: agreementUid === undefined ? null : `/v1/agreements/${agreementUid}`,
  temporal_ui: pageOf(ui, paymentWorkflowId(uid)),
});

export const refundLinks = (ui: TemporalUi, uid: string, paymentUid: string | undefined) => ({
  self: `/v1/refunds/${uid}`,
  timeline: `/v1/refunds/${uid}/timeline`,
  payment: paymentUid === undefined ? null : `/v1/payments/${paymentUid}`,
  temporal_ui: pageOf(ui, refundWorkflowId(uid)),
});

export const clientLinks = (ui: TemporalUi, uid: string, clientId: string | undefined) => ({
  self: `/v1/clients/${uid}`,
  timeline: `/v1/clients/${uid}/timeline`,
  agreements: clientId === undefined ? null : `/v1/agreements?client=${encodeURIComponent(clientId)}`,
  temporal_ui: pageOf(ui, clientWorkflowId(uid)),
});

export const onboardingLinks = (ui: TemporalUi, id: string) => ({
  self: `/v1/onboardings/${id}`,
  timeline: `/v1/onboardings/${id}/timeline`,
  temporal_ui: pageOf(ui, onboardingWorkflowId(id)),
});

export const counterpartyLinks = (ui: TemporalUi, uid: string) => ({
  self: `/v1/counterparties/${uid}`,
  timeline: `/v1/counterparties/${uid}/timeline`,
  temporal_ui: pageOf(ui, counterpartyWorkflowId(uid)),
});

export const batchLinks = (ui: TemporalUi, id: string) => ({
  self: `/v1/batches/${id}`,
  timeline: `/v1/batches/${id}/timeline`,
  rows: `/v1/batches/${id}/rows`,
  temporal_ui: pageOf(ui, batchWorkflowId(id)),
});

export const floatAccountLinks = (ui: TemporalUi, uid: string) => ({
  self: `/v1/float-accounts/${uid}`,
  timeline: `/v1/float-accounts/${uid}/timeline`,
  entries: `/v1/float-accounts/${uid}/entries`,
  temporal_ui: pageOf(ui, floatAccountWorkflowId(uid)),
});

export const unmatchedCreditLinks = (ui: TemporalUi, uid: string, accountUid: string) => ({
  self: `/v1/unmatched-credits/${uid}`,
  timeline: `/v1/unmatched-credits/${uid}/timeline`,
  resolution: `/v1/unmatched-credits/${uid}/resolution`,
  float_account: `/v1/float-accounts/${accountUid}`,
  temporal_ui: pageOf(ui, unmatchedCreditWorkflowId(uid)),
});

/** The id of a notification contains a slash, so it is encoded in a path. */
export const notificationLinks = (ui: TemporalUi, uid: string) => ({
  self: `/v1/notifications/${encodeURIComponent(uid)}`,
  acknowledgement: `/v1/notifications/${encodeURIComponent(uid)}/acknowledgement`,
  temporal_ui: pageOf(ui, notificationWorkflowId(uid)),
});

export const connectionLinks = (ui: TemporalUi, id: string) => ({
  self: `/v1/connections/${id}`,
  reauthorisation: `/v1/connections/${id}/reauthorisation`,
  temporal_ui: pageOf(ui, connectionWorkflowId(id)),
});

/** Lists of the payments and refunds that a stop holds back, for one connection or for all. */
export function stopLinks(connectionId: string | undefined) {
  const waiting = new URLSearchParams({
    awaiting: 'stop',
    ...(connectionId && { connection: connectionId }),
  });
  return { payments: `/v1/payments?${waiting.toString()}`, refunds: `/v1/refunds?${waiting.toString()}` };
}

/** The link to the next page. Empty on the last page. */
export function nextPage(
  path: string,
  query: Readonly<Record<string, string | number | undefined>>,
  cursor: string | undefined,
): { next?: string } {
  if (cursor === undefined) return {};
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...query, cursor })) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return { next: `${path}?${parameters.toString()}` };
}
