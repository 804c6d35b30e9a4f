// What outsiders know of every story: signals that all take, and what operators can filter by in lists (docs/architecture.md#search-attributes).
// Never personal data in the latter: search attributes are stored in the clear.
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { defineSignal } from '@temporalio/workflow';
import type { Instant } from '../../domain/fact.js';
import type { Attention, Awaiting } from '../../domain/legible.js';

export { upgrade, type Carried } from './upgrade.js';

/** `unknown`: adopted, and the provider did not know it in a whole day. */
export type ViewState<LifeState extends string> = LifeState | 'unknown';

/** What callers read of anything that is followed at the provider. */
export interface FollowedView<LifeState extends string> {
  uid: string;
  connectionId?: string | undefined;
  state: ViewState<LifeState>;
  stateSince: Instant;
  awaiting: Awaiting;
  attention: Attention[];
  lastFactAt?: Instant | undefined;
}

/** Says nothing but makes a run that rests see whether a newer release is current, to which it then hands over. */
export const handOver = defineSignal('handOver');

const { KEYWORD, KEYWORD_LIST, DATETIME } = SearchAttributeType;

export const AGREEMENT_STATE = defineSearchAttributeKey('AgreementState', KEYWORD);
export const PAYMENT_STATE = defineSearchAttributeKey('PaymentState', KEYWORD);
export const ONBOARDING_STEP = defineSearchAttributeKey('OnboardingStep', KEYWORD);
export const CONNECTION_STATUS = defineSearchAttributeKey('ConnectionStatus', KEYWORD);
export const AWAITING = defineSearchAttributeKey('Awaiting', KEYWORD);
export const CONNECTION_ID = defineSearchAttributeKey('ConnectionId', KEYWORD);
export const CLIENT_ID = defineSearchAttributeKey('ClientId', KEYWORD);
export const AGREEMENT_UID = defineSearchAttributeKey('AgreementUid', KEYWORD);
export const AWAITING_SINCE = defineSearchAttributeKey('AwaitingSince', DATETIME);
export const LAST_FACT_AT = defineSearchAttributeKey('LastFactAt', DATETIME);
export const ATTENTION = defineSearchAttributeKey('Attention', KEYWORD_LIST);

/** All of them, as they are registered with a server. */
export const SEARCH_ATTRIBUTES = [
  AGREEMENT_STATE,
  PAYMENT_STATE,
  ONBOARDING_STEP,
  CONNECTION_STATUS,
  AWAITING,
  CONNECTION_ID,
  CLIENT_ID,
  AGREEMENT_UID,
  AWAITING_SINCE,
  LAST_FACT_AT,
  ATTENTION,
] as const;

/** The connection has consent again: what was blocked for want of it goes on. */
export const connectionRestored = defineSignal('connectionRestored');
