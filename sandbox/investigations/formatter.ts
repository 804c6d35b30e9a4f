// The wire format of disputes, their events, uploads and messages (JSON:API).
import type { Dispute, DisputeEvent } from '../store/dispute.schema.js';

export function formatDispute(dispute: Dispute) {
  const { id, state, raised_at, events, upload_ids } = dispute;
  return {
    id,
    type: 'disputes',
    attributes: { raised_at, state },
    links: { self: `/investigations/disputes/${id}` },
    relationships: {
      events: { data: events.map(formatEvent), meta: { included: true } },
      uploads: { data: upload_ids.map(uploadOf), meta: { included: true } },
    },
  };
}

/** Also the body of the webhook that requests an action from the merchant. */
export function formatEvent({ id, ...attributes }: DisputeEvent) {
  return { id, type: 'events', attributes };
}

export function formatUpload({ id: disputeId }: Dispute, uploadId: string) {
  const dispute = { data: { id: disputeId, type: 'disputes' } };
  return { ...uploadOf(uploadId), relationships: { dispute } };
}

const uploadOf = (id: string) => ({ id, type: 'uploads', attributes: { urn: `urn:sandbox:upload:${id}` } });

export interface Message {
  id: string;
  direction: 'incoming' | 'outgoing';
  at: string;
  /** The merchant's answer, in an outgoing message. */
  answer?: object;
}

/** The body of the webhooks about messages. The documents do not show a CAMT.035 message, so its fields are our choice. */
export function formatMessage(dispute: Dispute, { id, direction, at, answer }: Message) {
  const { payment_uid, type_code, reason_code } = dispute;
  const camt_message = {
    assignment: { id, created_at: at },
    case: { id: dispute.id },
    original_transaction_identification: payment_uid,
    investigation_type_code: type_code,
    investigation_reason_code: reason_code,
    ...(answer === undefined ? {} : { answer }),
  };
  const codes = { [type_code]: 'Investigation type', [reason_code]: 'Investigation reason' };
  return { id, type: 'messages', attributes: { camt_message, direction }, meta: { codes } };
}
