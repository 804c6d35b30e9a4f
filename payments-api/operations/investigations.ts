// Disputes, and the merchant's answers to them (docs/provider.md#operations; a beta of the provider).
import { Dispute, EvidenceUpload } from '../answers/investigations.schema.js';
import { DisputeAcceptance, DisputeRejection, Evidence } from '../requests/investigation.schema.js';
import { creates, dataOf, itemOf, reads } from './kinds.js';
import { items } from '../http/paging.js';
import { requestBody, uuidSegment } from '../requests/checked.js';
import type { Asking } from './kinds.js';
import type { Call } from '../http/send.js';

export interface InvestigationOperations {
  /** GET /investigations/disputes. */
  listDisputes(call: Call): AsyncIterable<Dispute>;
  /** GET /investigations/disputes/{id}. */
  getDispute(id: string, call: Call): Promise<Dispute>;
  /** POST /investigations/action_requests/{id}/accept. Return the money first. */
  acceptActionRequest(id: string, request: DisputeAcceptance, call: Call): Promise<Dispute>;
  /** POST /investigations/action_requests/{id}/reject. Upload the evidence first. */
  rejectActionRequest(id: string, request: DisputeRejection, call: Call): Promise<Dispute>;
  /**
   * POST /investigations/action_requests/{id}/upload. Not idempotent: a repeat uploads the file again.
   * @param pdf the complete file. Other formats are refused before anything is sent.
   */
  uploadEvidence(id: string, pdf: Uint8Array, fileName: string, call: Call): Promise<EvidenceUpload>;
}

const DISPUTES = '/investigations/disputes';

export function investigationOperations(asking: Asking): InvestigationOperations {
  const actionPath = (name: string, id: string, action: string): string =>
    `/investigations/action_requests/${uuidSegment(name, id)}/${action}`;
  return {
    async *listDisputes(call) {
      const requested = { name: 'listDisputes', method: 'GET', path: DISPUTES } as const;
      yield* items(asking.list({ ...requested, readItem: itemOf(Dispute) }, call));
    },
    getDispute: reads(asking, 'getDispute', DISPUTES, Dispute, uuidSegment),
    acceptActionRequest: async (id, request, call) => {
      const name = 'acceptActionRequest';
      return creates(asking, name, actionPath(name, id, 'accept'), DisputeAcceptance, Dispute)(request, call);
    },
    rejectActionRequest: async (id, request, call) => {
      const name = 'rejectActionRequest';
      return creates(asking, name, actionPath(name, id, 'reject'), DisputeRejection, Dispute)(request, call);
    },
    uploadEvidence: async (id, pdf, fileName, call) => {
      const name = 'uploadEvidence';
      const path = actionPath(name, id, 'upload');
      const evidence = requestBody(name, Evidence, { name: fileName, bytes: pdf }, asking);
      const file = { ...evidence, type: 'application/pdf' };
      return asking.ask({ name, method: 'POST', path, file, read: dataOf(name, EvidenceUpload) }, call);
    },
  };
}
