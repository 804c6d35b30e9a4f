// The lifecycle of a dispute: the payer's bank raises it, the provider hands it to the merchant, and the merchant's answer closes it.
import { randomUUID } from 'node:crypto';
import type { Engine } from '../engine/parts.js';
import type { Dispute, DisputeState } from '../store/dispute.schema.js';
import { publishRaw } from '../webhooks/events.js';
import { formatEvent, formatMessage } from './formatter.js';

const NEXT: Record<DisputeState, readonly DisputeState[]> = {
  open: ['awaiting_merchant'],
  awaiting_merchant: ['closed'],
  closed: [],
};

const EVENTS = {
  raised: { title: 'OFI raised dispute', detail: "Payer's bank raised a dispute" },
  requested: {
    title: 'Merchant action requested',
    detail: 'Zepto requested merchant to take action',
  },
  accepted: {
    title: 'Merchant accepted dispute',
    detail: 'Merchant acknowledged dispute was founded and has returned funds',
  },
  rejected: { title: 'Merchant rejected dispute', detail: 'Merchant rejected dispute with evidence' },
} as const;

/** How long the provider takes to hand a dispute to the merchant. */
const HANDLING_MS = 20;

export interface Raised {
  paymentUid: string;
  typeCode: string;
  reasonCode: string;
  asksMerchant: boolean;
}

export function raiseDispute(engine: Engine, raised: Raised): void {
  const { store, clock, scheduler } = engine;
  const dispute: Dispute = {
    id: randomUUID(),
    payment_uid: raised.paymentUid,
    state: 'open',
    raised_at: clock.iso(),
    type_code: raised.typeCode,
    reason_code: raised.reasonCode,
    action_request_id: null,
    events: [],
    upload_ids: [],
  };
  store.disputes.set(dispute.id, dispute);
  recordEvent(engine, dispute, 'raised');
  note(engine, dispute, null, sendMessage(engine, dispute, 'incoming'));
  if (!raised.asksMerchant) return;
  scheduler.add('request_merchant_action', dispute.id, clock.now() + HANDLING_MS);
}

export function requestMerchantAction(engine: Engine, dispute: Dispute): void {
  if (!NEXT[dispute.state].includes('awaiting_merchant')) return;
  const event = recordEvent(engine, dispute, 'requested');
  dispute.action_request_id = event.id;
  const published = publishRaw(engine, {
    id: event.id,
    type: 'investigations.action_requested',
    resource_uid: dispute.id,
    lane: dispute.id,
    payload: formatEvent(event),
  });
  move(engine, dispute, 'awaiting_merchant', published);
}

/** Whether the merchant can answer and add evidence. */
export const awaitsMerchant = ({ state }: Dispute): boolean => NEXT[state].includes('closed');

/** Call only while the dispute awaits the merchant. */
export function closeDispute(
  engine: Engine,
  dispute: Dispute,
  outcome: 'accepted' | 'rejected',
  answer: object,
): void {
  recordEvent(engine, dispute, outcome);
  move(engine, dispute, 'closed', sendMessage(engine, dispute, 'outgoing', answer));
}

function recordEvent({ clock }: Engine, dispute: Dispute, name: keyof typeof EVENTS) {
  const event = { id: randomUUID(), at: clock.iso(), ...EVENTS[name] };
  dispute.events.push(event);
  return event;
}

interface Published {
  id: string;
  type: string;
}

function sendMessage(
  engine: Engine,
  dispute: Dispute,
  direction: 'incoming' | 'outgoing',
  answer?: object,
): Published {
  const id = randomUUID();
  const message = { id, direction, at: engine.clock.iso(), ...(answer === undefined ? {} : { answer }) };
  return publishRaw(engine, {
    id,
    type: `investigations.message_${direction === 'incoming' ? 'received' : 'sent'}`,
    resource_uid: dispute.id,
    lane: dispute.id,
    payload: formatMessage(dispute, message),
  });
}

function move(engine: Engine, dispute: Dispute, to: DisputeState, event: Published): void {
  const from = dispute.state;
  dispute.state = to;
  note(engine, dispute, from, event);
}

function note({ ledger }: Engine, { id, state }: Dispute, from: DisputeState | null, event: Published): void {
  ledger.append({
    kind: 'change',
    resource_type: 'dispute',
    resource_uid: id,
    from,
    to: state,
    event_id: event.id,
    event_type: event.type,
  });
}
