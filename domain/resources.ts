// One row for each resource that has a workflow and a row in the records: all that shared code must know about it. A new resource needs a row
// here, and the compiler then asks for the rest. Pure.
import { AGREEMENT_STATES } from './agreement/events.js';
import { AGREEMENTS, AGREEMENT_LIFECYCLE, isFinal as isAgreementFinal } from './agreement/lifecycle.js';
import { CLIENT_LIFECYCLE, CLIENT_STATES, isClientFinal } from './client/lifecycle.js';
import {
  COUNTERPARTY_LIFECYCLE,
  COUNTERPARTY_STATES,
  isCounterpartyFinal,
} from './counterparty/lifecycle.js';
import { isUnrecognised, type Lifecycle } from './facts/fold.js';
import { CREDIT_DECISIONS } from './float/credit.js';
import { PAYMENTS, PAYMENT_LIFECYCLE, PAYMENT_STATES, isPaymentFinal } from './payment/lifecycle.js';
import { REFUNDS, REFUND_LIFECYCLE, REFUND_STATES, isRefundFinal } from './refund/lifecycle.js';
import type { Fact } from './facts/fact.js';
import type { Compared } from './sweep/comparison.js';

interface Row {
  /** With its article, for messages. */
  what: string;
  /** The name of its list, and the first segment of its paths. */
  plural: string;
  /** The states in which it has ended and may expire. Its workflow closes only in these. `unknown`: the provider never knew it. Absent: it never ends. */
  ended?: readonly string[];
  /** It is used for many years, so its entries expire by their time. */
  isLasting?: true;
  /** It expires and is erased only together with, or before, this resource. */
  parent?: string;
  /** Its row and entries can hold data about a person. */
  isPersonal?: true;
  /** Only for a resource of the provider. */
  provider?: {
    lifecycle: Lifecycle<string>;
    /** The OAuth scope of its calls. */
    scope: string;
    /** The `resource_type` of its events. Absent: no event names it. */
    webhook?: string;
    /** How a sweep compares the provider's list with ours. Absent: it is not swept. */
    compared?: Compared;
  };
}

const endedIn = <State extends string>(
  states: readonly State[],
  isOver: (state: State) => boolean,
): readonly string[] => [...states.filter(isOver), 'unknown'];

export const RESOURCES = {
  agreement: {
    what: 'an agreement',
    plural: 'agreements',
    ended: endedIn(AGREEMENT_STATES, isAgreementFinal),
    isPersonal: true,
    provider: {
      lifecycle: AGREEMENT_LIFECYCLE,
      scope: 'pay_to_agreements',
      webhook: 'payto_agreement',
      compared: AGREEMENTS,
    },
  },
  payment: {
    what: 'a payment',
    plural: 'payments',
    ended: endedIn(PAYMENT_STATES, isPaymentFinal),
    parent: 'agreement',
    isPersonal: true,
    provider: {
      lifecycle: PAYMENT_LIFECYCLE,
      scope: 'pay_to_payments',
      webhook: 'payto_payment',
      compared: PAYMENTS,
    },
  },
  refund: {
    what: 'a refund',
    plural: 'refunds',
    ended: endedIn(REFUND_STATES, isRefundFinal),
    parent: 'payment',
    isPersonal: true,
    provider: {
      lifecycle: REFUND_LIFECYCLE,
      scope: 'pay_to_refunds',
      webhook: 'payto_refund',
      compared: REFUNDS,
    },
  },
  client: {
    what: 'a client',
    plural: 'clients',
    ended: endedIn(CLIENT_STATES, isClientFinal),
    isLasting: true,
    provider: { lifecycle: CLIENT_LIFECYCLE, scope: 'clients' },
  },
  counterparty: {
    what: 'a counterparty',
    plural: 'counterparties',
    ended: endedIn(COUNTERPARTY_STATES, isCounterpartyFinal),
    isLasting: true,
    isPersonal: true,
    provider: { lifecycle: COUNTERPARTY_LIFECYCLE, scope: 'counterparties' },
  },
  onboarding: {
    what: 'an onboarding',
    plural: 'onboardings',
    ended: ['done', 'abandoned'],
    isPersonal: true,
  },
  batch: { what: 'a batch', plural: 'batches', ended: ['done', 'abandoned', 'incomplete'] },
  connection: { what: 'a connection', plural: 'connections', isLasting: true },
  stop: { what: 'a stop', plural: 'stops', isLasting: true },
  notification: {
    what: 'a notification',
    plural: 'notifications',
    ended: ['acknowledged'],
    isPersonal: true,
  },
  'float-account': { what: 'a float account', plural: 'float-accounts', isLasting: true },
  'unmatched-credit': {
    what: 'an unmatched credit',
    plural: 'unmatched-credits',
    ended: [...CREDIT_DECISIONS, 'joined'],
    isPersonal: true,
  },
} as const satisfies Readonly<Record<string, Row>>;

type Rows = typeof RESOURCES;
export type ResourceName = keyof Rows;
export const RESOURCE_NAMES = Object.keys(RESOURCES) as ResourceName[];

/** The resources whose row has this. */
type ResourceWith<Part> = {
  [Name in ResourceName]: Rows[Name] extends Part ? Name : never;
}[ResourceName];

/** The resources of the provider. */
export type ProviderResource = ResourceWith<{ provider: object }>;

/** The resources that events of the provider name, and that its lists show. */
export type EventResource = ResourceWith<{ provider: { webhook: string; compared: object } }>;
export const EVENT_RESOURCES = RESOURCE_NAMES.filter((name): name is EventResource => {
  const row: Row = RESOURCES[name];
  return row.provider?.webhook !== undefined;
});

/** The resources that end, and expire some time later. */
export type ExpiringResource = ResourceWith<{ ended: readonly string[] }>;

/** Children before their parents: the rows above have a parent before its children. */
export const EXPIRING_RESOURCES = RESOURCE_NAMES.filter(
  (name): name is ExpiringResource => 'ended' in RESOURCES[name],
).reverse();

/** Whether its workflow may be closed in this state. Until then its row can be made again from its workflow. */
export function hasEnded(resource: ResourceName, state: string): boolean {
  const row: Row = RESOURCES[resource];
  return row.ended?.includes(state) === true;
}

/** The resources whose entries expire by their time. */
export const LASTING_RESOURCES = RESOURCE_NAMES.filter((name) => 'isLasting' in RESOURCES[name]);

/** The resources whose row and entries can hold data about a person. */
export type PersonalResource = ResourceWith<{ isPersonal: true }>;
export const PERSONAL_RESOURCES = RESOURCE_NAMES.filter(
  (name): name is PersonalResource => 'isPersonal' in RESOURCES[name],
);

/** The id of its workflow. The workflow `stop` is the only one of its kind, and its uid is its id. */
export const workflowIdOf = (resource: ResourceName, uid: string): string =>
  resource === 'stop' ? uid : `${resource}/${uid}`;

/** One event from an envelope. Every resource except `other` always has a uid, an id and a type. */
export interface Notification {
  resource: EventResource | 'other';
  /** The provider's `resource_type`, or the closest equivalent. */
  resourceType: string;
  /** Safe in a path and a workflow id (domain/provider/uid.ts); absent if the provider sent no valid uid. */
  uid?: string;
  fact: Fact;
}

/** Whether this release does not know the event type. Events of other resources always go to an operator, so they do not count. */
export const isUnknownEvent = ({
  resource,
  fact: { type },
}: {
  resource: Notification['resource'];
  fact: Pick<Fact, 'type'>;
}): boolean => resource !== 'other' && isUnrecognised(lifecycleOf(resource), { type });

/** Whether this release does not know the state. */
export const isUnknownState = (resource: ProviderResource, state: string): boolean =>
  isUnrecognised(lifecycleOf(resource), { type: 'observed', state });

const lifecycleOf = (resource: ProviderResource): Lifecycle<string> => RESOURCES[resource].provider.lifecycle;
