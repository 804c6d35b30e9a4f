// The operations on disputes. Their scope is not documented; we require the scope that reads payments.
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { operation, type Call, type Registration } from '../calls/operation.js';
import type { Engine } from '../engine/parts.js';
import type { CallName } from '../faults/rule.schema.js';
import { notFound, parseOrRefuse, refuse } from '../http/refusal.js';
import type { Dispute } from '../store/dispute.schema.js';
import { formatDispute, formatUpload } from './formatter.js';
import { awaitsMerchant, closeDispute, raiseDispute } from './states.js';

const common = { scope: 'pay_to_payments', beside: { jsonapi: { version: '1.0' } } } as const;

// GET /investigations/disputes: newest first.
const listDisputes = operation(
  { ...common, name: 'list_disputes', method: 'GET', path: '/investigations/disputes' },
  (_call, engine) => ({
    status: 200,
    body: { data: [...engine.store.disputes.values()].toReversed().map(formatDispute) },
  }),
);

const getDispute = operation(
  { ...common, name: 'get_dispute', method: 'GET', path: '/investigations/disputes/:id' },
  ({ uid }, engine) => {
    const dispute = engine.store.disputes.get(uid);
    if (dispute === undefined) throw notFound(`There is no dispute ${uid}`);
    return { status: 200, body: { data: formatDispute(dispute) } };
  },
);

// POST /investigations/action_requests/{id}/…: the merchant's answer and its evidence.
const action = (name: CallName, verb: string) =>
  ({ ...common, name, method: 'POST', path: `/investigations/action_requests/:id/${verb}` }) as const;

const Acceptance = z.strictObject({
  amount_returned: z.strictObject({ currency: z.literal('AUD'), value: z.int().min(1) }),
  return_transaction_identification: z.string().min(1),
});

const RejectionCode = z.enum([
  'ADEA',
  'BDAY',
  'CTRC',
  'DPRG',
  'INDT',
  'MISM',
  'NAUT',
  'NINS',
  'NOAC',
  'TERM',
  'ASBR',
  'AB15',
  'AB26',
  'AB12',
  'DT07',
  'AB13',
  'AB21',
  'ISWS',
  'MISN',
  'NOFR',
  'RC14',
  'RC16',
  'RC15',
  'RC13',
  'SBRN',
]);
const Rejection = z.strictObject({
  reason: z.strictObject({ code: RejectionCode, description: z.string() }),
});

const findDispute = ({ store }: Engine, actionRequestId: string): Dispute | undefined =>
  [...store.disputes.values()].find((it) => it.action_request_id === actionRequestId);

/** Documented: only an acceptance can answer 404. */
const accept = operation(action('accept_action_request', 'accept'), (call, engine) => {
  if (findDispute(engine, call.uid) === undefined) throw notFound(`There is no action request ${call.uid}`);
  const answer = parseOrRefuse(Acceptance, call.body, 400);
  const dispute = awaited(engine, call);
  closeDispute(engine, dispute, 'accepted', answer);
  return { status: 200, body: { data: formatDispute(dispute) } };
});

const reject = operation(action('reject_action_request', 'reject'), (call, engine) => {
  const answer = parseOrRefuse(Rejection, call.body, 400);
  const dispute = awaited(engine, call);
  closeDispute(engine, dispute, 'rejected', answer);
  return { status: 200, body: { data: formatDispute(dispute) } };
});

const Pdf = z.object({ type: z.literal('application/pdf'), begins: z.literal('%PDF-') });

/** The document is not stored. */
const upload = operation({ ...action('upload_evidence', 'upload'), takesFile: true }, (call, engine) => {
  if (!Pdf.safeParse(call.body).success) {
    throw refuse(400, 'Validation Failed', 'The body must be a form with a file in PDF format');
  }
  const dispute = awaited(engine, call);
  const id = randomUUID();
  dispute.upload_ids.push(id);
  engine.store.touch();
  return { status: 200, body: { data: formatUpload(dispute, id) } };
});

/** @throws Refusal 400 if the merchant cannot answer this action request. */
function awaited(engine: Engine, { uid }: Call): Dispute {
  const dispute = findDispute(engine, uid);
  if (dispute !== undefined && awaitsMerchant(dispute)) return dispute;
  const state = dispute === undefined ? 'unknown' : dispute.state;
  throw refuse(400, 'Conflict', `The merchant cannot answer action request ${uid}: its dispute is ${state}`);
}

const message = {
  investigation_reason_code: z.string().min(1),
  original_transaction_identification: z.string(),
  narrative: z.string(),
};
/** Only these two types can request an action from the merchant. */
const IncomingMessage = z.discriminatedUnion('simulate_action_request', [
  z.strictObject({
    ...message,
    simulate_action_request: z.literal(true),
    investigation_type_code: z.enum(['INV13', 'INV14']),
  }),
  z.strictObject({
    ...message,
    simulate_action_request: z.literal(false),
    investigation_type_code: z.string().regex(/^INV([1-9]|1[0-8])$/, 'must be from INV1 to INV18'),
  }),
]);

const SIMULATED = { id: '00000000-0000-0000-0000-000000000000', type: 'incoming_message_simulations' };

// POST /investigations/simulate_incoming_message: the payer's bank raises a dispute.
const simulate = operation(
  {
    ...common,
    name: 'simulate_incoming_message',
    method: 'POST',
    path: '/investigations/simulate_incoming_message',
  },
  ({ body }, engine) => {
    const asked = parseOrRefuse(IncomingMessage, body, 400);
    const { original_transaction_identification: paymentUid } = asked;
    if (!engine.store.payments.has(paymentUid)) {
      const detail = `params.original_transaction_identification: there is no payment ${paymentUid}`;
      throw refuse(400, 'Validation Failed', detail);
    }
    raiseDispute(engine, {
      paymentUid,
      typeCode: asked.investigation_type_code,
      reasonCode: asked.investigation_reason_code,
      asksMerchant: asked.simulate_action_request,
    });
    return { status: 200, body: { data: SIMULATED } };
  },
);

export const INVESTIGATION_ROUTES: readonly Registration[] = [
  listDisputes,
  getDispute,
  accept,
  reject,
  upload,
  simulate,
];
