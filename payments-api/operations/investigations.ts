// Disputes, and the merchant's answers to them (docs/provider.md#operations; a beta of the provider).
import { Dispute, EvidenceUpload } from '../answers/resources.schema.js';
import { DisputeAcceptance, DisputeRejection, Evidence } from '../requests/investigation.schema.js';
import { creates, dataOf, itemOf, listsAll, reads, type Asking } from './kinds.js';
import { requestBody, uuidSegment } from '../requests/checked.js';
import type { Call } from '../http/send.js';

const DISPUTES = '/investigations/disputes';
const actionPath = (name: string, id: string, action: string): string =>
  `/investigations/action_requests/${uuidSegment(name, id)}/${action}`;

export const investigationOperations = (asking: Asking) => ({
  /** GET /investigations/disputes. */
  listDisputes: listsAll(asking, 'listDisputes', DISPUTES, itemOf(Dispute)),
  /** GET /investigations/disputes/{id}. */
  getDispute: reads(asking, 'getDispute', DISPUTES, Dispute, uuidSegment),
  /** POST /investigations/action_requests/{id}/accept. Return the money first. */
  acceptActionRequest: async (id: string, request: DisputeAcceptance, call: Call): Promise<Dispute> => {
    const name = 'acceptActionRequest';
    return creates(asking, name, actionPath(name, id, 'accept'), DisputeAcceptance, Dispute)(request, call);
  },
  /** POST /investigations/action_requests/{id}/reject. Upload the evidence first. */
  rejectActionRequest: async (id: string, request: DisputeRejection, call: Call): Promise<Dispute> => {
    const name = 'rejectActionRequest';
    return creates(asking, name, actionPath(name, id, 'reject'), DisputeRejection, Dispute)(request, call);
  },
  /**
   * POST /investigations/action_requests/{id}/upload. Not idempotent: a repeat uploads the file again.
   * @param pdf the complete file. Other formats are refused before anything is sent.
   */
  uploadEvidence: async (
    id: string,
    pdf: Uint8Array,
    fileName: string,
    call: Call,
  ): Promise<EvidenceUpload> => {
    const name = 'uploadEvidence';
    const path = actionPath(name, id, 'upload');
    const evidence = requestBody(name, Evidence, { name: fileName, bytes: pdf }, asking);
    const file = { ...evidence, type: 'application/pdf' };
    return asking.ask({ name, method: 'POST', path, file, read: dataOf(name, EvidenceUpload) }, call);
  },
});
