// The events that backends receive, derived from the entries of the records. Pure.
import type { EntryKind } from './batch.js';
import type { ResourceName } from '../resources.js';

/** Every type, with what it means. A release may add types, so receivers must accept unknown ones. */
export const EVENT_TYPES = {
  'agreement.created': 'An agreement was requested here, or adopted from the provider.',
  'agreement.active': 'The payer has accepted the agreement.',
  'agreement.declined': 'The payer or the provider has declined the agreement.',
  'agreement.expired': 'The payer did not answer within five days.',
  'agreement.suspended': 'The agreement was suspended. Payments are refused until it is reactivated.',
  'agreement.reactivated': 'The agreement is active again after a suspension.',
  'agreement.amended': 'The terms of the agreement have changed. `data` has the new ones.',
  'agreement.amendment_declined': 'The payer has declined an amendment.',
  'agreement.amendment_expired': 'The payer did not answer an amendment in time.',
  'agreement.amendment_recalled': 'An amendment was recalled before the payer answered.',
  'agreement.amendment_failed': 'The provider could not carry out an amendment.',
  'agreement.cancelled': 'The agreement has ended, by the payer, by you or by the provider.',
  'agreement.failed': 'The agreement could not be created.',
  'agreement.updated': 'The agreement is in another state, for which there is no other type.',
  'payment.requested': 'A payment was requested here, or adopted from the provider.',
  'payment.submitted': 'The provider has the payment, and reports the outcome later.',
  'payment.settled': 'The money of the payment was taken from the payer.',
  'payment.failed': 'The payment was not made. `data.failure` says why.',
  'payment.under_investigation': 'The provider examines the payment. It may still settle.',
  'payment.parked': 'The outcome of the payment is unknown, and an operator must decide.',
  'payment.lapsed': 'The payment was not sent by its `submit_before`, and will not be.',
  'payment.withdrawn': 'The payment was withdrawn before it was sent.',
  'payment.retrying': 'The payment has failed, and is retried.',
  'payment.unresolved': 'An operator has ended the payment without a known outcome.',
  'payment.updated': 'The payment is in another state, for which there is no other type.',
  'refund.requested': 'A refund was requested here, or adopted from the provider.',
  'refund.submitted': 'The provider has the refund, and reports the outcome later.',
  'refund.processed': 'The money of the refund was returned.',
  'refund.failed': 'The money of the refund was not returned.',
  'refund.parked': 'The outcome of the refund is unknown, and an operator must decide.',
  'refund.unresolved': 'An operator has ended the refund without a known outcome.',
  'refund.updated': 'The refund is in another state, for which there is no other type.',
  'plan.date_left_out':
    'A date of the plan of an agreement passed without a payment. `data` is the agreement.',
  'client.requested': 'The registration of a client was requested.',
  'client.active': 'The client may use PayTo.',
  'client.suspended': 'The provider has suspended the client.',
  'client.off_boarded': 'The provider has off-boarded the client.',
  'client.failed': 'The provider has refused the registration of the client, or it was given up.',
  'client.updated': 'The client is in another state, for which there is no other type.',
  'counterparty.requested': 'A counterparty was requested.',
  'counterparty.registered': 'The provider has the counterparty.',
  'counterparty.unverified':
    'An account of the counterparty could not be verified, and waits for a decision.',
  'counterparty.refused': 'The provider has refused the counterparty, and it waits for a correction.',
  'counterparty.failed': 'The counterparty was given up.',
  'counterparty.updated': 'The counterparty is in another state, for which there is no other type.',
  'connection.created': 'A connection waits for its first consent.',
  'connection.healthy': 'The connection has consent, and calls to the provider work.',
  'connection.needs_reauthorisation':
    'The merchant must consent again. Until then its agreements and payments wait.',
  'onboarding.started': 'An onboarding has begun.',
  'onboarding.step_changed': 'A step of the onboarding has begun or ended.',
  'onboarding.stopped': 'A step of the onboarding cannot continue without a decision.',
  'onboarding.resumed': 'The onboarding continues after a decision.',
  'onboarding.completed': 'All steps of the onboarding are done.',
  'onboarding.abandoned': 'The onboarding was abandoned.',
  'batch.created': 'A batch has begun to receive its rows.',
  'batch.running': 'The rows of the batch are carried out.',
  'batch.paused': 'The batch was paused.',
  'batch.completed': 'All rows of the batch have their outcome.',
  'batch.abandoned': 'The batch was abandoned.',
  'batch.incomplete': 'The rows of the batch did not arrive whole, so nothing was carried out.',
  'credit.unmatched': 'Money has arrived that no payment explains, or a notification says so.',
  'credit.confirmed': 'The float account shows the entry of an unmatched credit.',
  'credit.joined': 'Another case has the entry of this credit, so this case has ended.',
  'credit.decided': 'A person has decided what an unmatched credit is.',
  'settlement.reported': 'A settlement report was stored, or a changed version of one.',
  'notification.received': 'The provider has sent an event that belongs to no known resource.',
  'notification.acknowledged': 'An operator has read a notification that belongs to no known resource.',
  'stop.stopped': 'Payments were stopped.',
  'stop.cleared': 'No stop of payments is left.',
  'attention.raised': 'A flag was raised: a person must look at the resource. `flag` has it.',
  'attention.resolved': 'A flag was resolved, or its cause has gone.',
  'webhook_endpoint.created': 'An endpoint for webhooks was created.',
  'webhook_endpoint.enabled': 'An endpoint for webhooks is enabled again, and continues where it stopped.',
  'webhook_endpoint.disabled': 'An endpoint for webhooks was disabled. Its events wait.',
  'webhook_endpoint.deleted': 'An endpoint for webhooks was deleted.',
} as const;
export type EventType = keyof typeof EVENT_TYPES;
export const EVENT_TYPE_NAMES = Object.keys(EVENT_TYPES) as EventType[];

/** The version of the form of events, sent with each. */
export const EVENT_VERSION = 1;

/** A change that was recorded, as far as its type depends on it. */
export interface EventChange {
  kind: EntryKind;
  name: string;
  data: object;
}

/** @returns undefined if the change is no event. */
export function eventTypeOf(resource: ResourceName, change: EventChange): EventType | undefined {
  const { kind, name, data } = change;
  // Only events of the provider have named it, so perhaps it does not exist.
  if ('isVacant' in data) return undefined;
  if (kind === 'state') return stateEvent(resource, name, fromOf(data));
  if (kind === 'attention')
    return 'isRaised' in data && data.isRaised === true ? 'attention.raised' : 'attention.resolved';
  if (kind === 'fact')
    return 'authenticated' in data && data.authenticated === true ? FACTS[resource]?.[name] : undefined;
  return kind === 'decision' ? DECISIONS[resource]?.[name] : undefined;
}

const fromOf = (data: object): string | undefined =>
  'from' in data && typeof data.from === 'string' ? data.from : undefined;

type ByName = Readonly<Partial<Record<string, EventType>>>;

/** Events of the provider that change no state. */
const FACTS: Readonly<Partial<Record<ResourceName, ByName>>> = {
  agreement: {
    amendment_declined: 'agreement.amendment_declined',
    amendment_expired: 'agreement.amendment_expired',
    amendment_recalled: 'agreement.amendment_recalled',
    amendment_failed: 'agreement.amendment_failed',
  },
};

const STEP = 'onboarding.step_changed';
const DECISIONS: Readonly<Partial<Record<ResourceName, ByName>>> = {
  agreement: {
    followed: 'agreement.created',
    planned_payment_skipped: 'plan.date_left_out',
    terms_changed: 'agreement.amended',
  },
  payment: { followed: 'payment.requested', submission_parked: 'payment.parked' },
  refund: { followed: 'refund.requested', submission_parked: 'refund.parked' },
  client: { followed: 'client.requested' },
  counterparty: { followed: 'counterparty.requested' },
  onboarding: { step_under_way: STEP, step_done: STEP, step_skipped: STEP, step_stopped: STEP },
};

interface StateEvents {
  /** Of the first state. Absent: as any other state. */
  first?: EventType;
  states: ByName;
  /** Of all other states. Absent: none. */
  other?: EventType;
}

const UNSENT: ReadonlySet<string> = new Set(['requested', 'retrying', 'unknown']);
/** A resource enters it again only if it was `unknown`. */
const START: Readonly<Partial<Record<ResourceName, string>>> = {
  ...{ agreement: 'pending', payment: 'requested', refund: 'requested' },
  ...{ client: 'requested', counterparty: 'requested' },
};

function stateEvent(resource: ResourceName, state: string, from: string | undefined): EventType | undefined {
  const { first, states, other } = STATES[resource];
  if (from === undefined && first !== undefined) return first;
  if (state === START[resource]) return undefined;
  if (resource === 'stop' && from === undefined && state === 'clear') return undefined;
  if (resource === 'agreement' && state === 'active' && from === 'suspended') return 'agreement.reactivated';
  if (resource === 'onboarding' && state === 'under_way') return 'onboarding.resumed';
  const type = states[state] ?? other;
  // Only the first state at the provider is news.
  const isSubmission = type === 'payment.submitted' || type === 'refund.submitted';
  return isSubmission && from !== undefined && !UNSENT.has(from) ? other : type;
}

/** The events of the states that have the same name. */
const named = (prefix: string, ...states: string[]): ByName =>
  Object.fromEntries(states.map((state) => [state, `${prefix}.${state}` as EventType]));

const STATES: Readonly<Record<ResourceName, StateEvents>> = {
  agreement: {
    first: 'agreement.created',
    states: named('agreement', 'active', 'declined', 'expired', 'suspended', 'cancelled', 'failed'),
    other: 'agreement.updated',
  },
  payment: {
    first: 'payment.requested',
    states: {
      ...named('payment', 'settled', 'failed', 'under_investigation', 'lapsed', 'withdrawn', 'retrying'),
      ...{ unresolved: 'payment.unresolved', created: 'payment.submitted' },
      ...{ submitting: 'payment.submitted', pending: 'payment.submitted' },
    },
    other: 'payment.updated',
  },
  refund: {
    first: 'refund.requested',
    states: {
      ...named('refund', 'processed', 'failed', 'unresolved'),
      ...{ created: 'refund.submitted', processing: 'refund.submitted' },
    },
    other: 'refund.updated',
  },
  client: {
    first: 'client.requested',
    states: named('client', 'active', 'suspended', 'off_boarded', 'failed'),
    other: 'client.updated',
  },
  counterparty: {
    first: 'counterparty.requested',
    states: named('counterparty', 'registered', 'unverified', 'refused', 'failed'),
    other: 'counterparty.updated',
  },
  connection: {
    first: 'connection.created',
    states: named('connection', 'healthy', 'needs_reauthorisation'),
  },
  onboarding: {
    first: 'onboarding.started',
    states: { ...named('onboarding', 'stopped', 'abandoned'), done: 'onboarding.completed' },
  },
  batch: {
    first: 'batch.created',
    states: { ...named('batch', 'running', 'paused', 'abandoned', 'incomplete'), done: 'batch.completed' },
  },
  notification: { first: 'notification.received', states: named('notification', 'acknowledged') },
  stop: { states: { stopped: 'stop.stopped', clear: 'stop.cleared' } },
  // An account is only read: its entries and flags are what matters.
  'float-account': { states: {} },
  'unmatched-credit': {
    first: 'credit.unmatched',
    states: { open: 'credit.confirmed', joined: 'credit.joined' },
    other: 'credit.decided',
  },
};
