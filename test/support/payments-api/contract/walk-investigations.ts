import { z } from 'zod';
import { all } from '../loopback.js';
import * as shapes from './shapes.js';
import { settledPayment, simulate } from './requests.js';
import { step, utc } from './walk.js';
import type { World } from './world.js';

const upload = z.looseObject({ id: z.uuid(), type: z.literal('uploads') });
const event = z.looseObject({ id: z.uuid(), attributes: z.looseObject({ at: shapes.instant }) });
const dispute = z.looseObject({
  id: z.uuid(),
  attributes: z.strictObject({
    raised_at: shapes.instant,
    state: z.enum(['open', 'awaiting_merchant', 'closed']),
  }),
  relationships: z.looseObject({ events: z.looseObject({ data: z.array(event) }) }),
});
const one = <Shape extends z.ZodType>(data: Shape) => z.looseObject({ data });

function read(wire: z.output<typeof dispute>): object {
  const { attributes, relationships } = wire;
  const data = relationships.events.data.map((it) => ({
    ...it,
    attributes: { ...it.attributes, at: utc(it.attributes.at) },
  }));
  return {
    ...wire,
    attributes: { ...attributes, raised_at: utc(attributes.raised_at) },
    relationships: { ...relationships, events: { ...relationships.events, data } },
  };
}

async function openDispute(world: World): Promise<{ id: string; actionRequestId: string }> {
  await simulate(world, '/investigations/simulate_incoming_message', {
    simulate_action_request: true,
    investigation_type_code: 'INV13',
    investigation_reason_code: 'CUST',
    original_transaction_identification: await settledPayment(world),
    narrative: 'Not mine',
  });
  await world.control.advance(1);
  const [newest] = await all(world.api.listDisputes(world.call));
  const actionRequestId = newest?.relationships?.events?.data?.at(-1)?.id ?? '';
  return { id: newest?.id ?? '', actionRequestId };
}

const common = { scope: 'pay_to_payments', status: 200 } as const;
const answered = {
  ...common,
  answer: one(dispute),
  makes: ({ data }: { data: z.output<typeof dispute> }) => read(data),
};

export const INVESTIGATION_STEPS = {
  listDisputes: step({
    ...common,
    line: 'GET /investigations/disputes',
    operation: 'list_disputes',
    prepare: async (world) => {
      await openDispute(world);
      return (call) => all(world.api.listDisputes(call));
    },
    answer: one(z.array(dispute)),
    makes: ({ data }) => data.map(read),
  }),
  getDispute: step({
    ...answered,
    line: 'GET /investigations/disputes/{}',
    operation: 'get_dispute',
    prepare: async (world) => {
      const { id } = await openDispute(world);
      return (call) => world.api.getDispute(id, call);
    },
  }),
  acceptActionRequest: step({
    ...answered,
    line: 'POST /investigations/action_requests/{}/accept',
    operation: 'accept_action_request',
    prepare: async (world) => {
      const { actionRequestId } = await openDispute(world);
      const amount_returned = { currency: 'AUD', value: 100 } as const;
      const request = { amount_returned, return_transaction_identification: 'return-1' };
      return (call) => world.api.acceptActionRequest(actionRequestId, request, call);
    },
  }),
  rejectActionRequest: step({
    ...answered,
    line: 'POST /investigations/action_requests/{}/reject',
    operation: 'reject_action_request',
    prepare: async (world) => {
      const { actionRequestId } = await openDispute(world);
      const request = { reason: { code: 'NAUT', description: 'Authorised' } } as const;
      return (call) => world.api.rejectActionRequest(actionRequestId, request, call);
    },
  }),
  uploadEvidence: step({
    ...common,
    line: 'POST /investigations/action_requests/{}/upload',
    operation: 'upload_evidence',
    prepare: async (world) => {
      const { actionRequestId } = await openDispute(world);
      const pdf = Buffer.from('%PDF-1.7');
      return (call) => world.api.uploadEvidence(actionRequestId, pdf, 'proof.pdf', call);
    },
    answer: one(upload),
    makes: ({ data }) => data,
  }),
  requestSettlementReport: step({
    scope: 'pay_to_payments',
    status: 201,
    line: 'POST /merchant_reports/payto_settlement/{}/download',
    operation: 'download_settlement_report',
    prepare: (world) => (call) => world.api.requestSettlementReport('2026-09-01', call),
    answer: one(
      z.looseObject({
        attributes: z.looseObject({
          download_link: z.strictObject({ url: z.url(), expires_at: shapes.instant }),
        }),
      }),
    ),
    makes: ({ data: { attributes } }) => ({
      url: attributes.download_link.url,
      expiresAt: utc(attributes.download_link.expires_at),
    }),
  }),
};
