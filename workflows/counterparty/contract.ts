// The messages and types of a counterparty workflow.
import { defineQuery, defineUpdate } from '@temporalio/workflow';
import {
  connectionRestored,
  reportTo,
  resolveAttention,
  type ResourceView,
} from '../contracts/every-workflow.js';
import type { CounterpartyLifecycleState } from '../../domain/counterparty/lifecycle.js';
import type { AccountOrder, CounterpartyOrder } from '../../domain/counterparty/request.schema.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { Refusal } from '../../domain/facts/snapshot.js';
import type { Checked } from '../../domain/counterparty/verification.js';
import type { Carried } from '../contracts/upgrade.js';
import type { CounterpartyOrderRequest, Change, ChangeRequest, CounterpartyState } from './state.js';

export { resolveAttention } from '../contracts/every-workflow.js';
export { counterpartyWorkflowId } from '../contracts/signals.js';
export type { CounterpartyOrderRequest, ChangeRequest } from './state.js';
export const COUNTERPARTY_WORKFLOW = 'counterparty';

export interface CounterpartyInput extends CounterpartyOrderRequest {
  /** The records were away when it was requested, so another one may have had its uid before (workflows/resource/unchecked.ts). */
  isUnchecked?: boolean | undefined;
  /** The state of the previous run, set by continue-as-new. */
  carried?: Carried<CounterpartyState> | undefined;
}

export interface AccountView extends AccountOrder {
  /** The outcome of the latest verification; absent before the first one, or if none was requested. */
  checked?: Checked | undefined;
  tries: number;
  /** Whether it can be registered. */
  isCleared: boolean;
}

export type CounterpartyChange = Pick<Change, 'kind' | 'accountUid' | 'reason' | 'by' | 'at'>;

/** The run of a registered counterparty stays open, because the provider offers no way to read it again. */
export interface CounterpartyView extends ResourceView<CounterpartyLifecycleState> {
  /** The original request. `accounts` shows the accounts with their corrections. */
  order: CounterpartyOrder;
  /** The identity with its corrections. */
  identity?: CounterpartyOrder['identity'];
  accounts: AccountView[];
  /** The provider's id; absent before the registration, or if the answer was lost. */
  counterpartyId?: string | undefined;
  /** Known to exist because its account uids were already taken, or because an operator confirmed it. */
  adopted: boolean;
  /** Why it failed, or the provider's latest refusal. */
  failure?: Refusal | undefined;
  requestedAt: Instant;
  requestedBy?: string | undefined;
  /** How often it was sent to the provider. */
  submissions: number;
  /** Corrections and acceptances by persons, oldest first. */
  changes: CounterpartyChange[];
}

/**
 * Corrects the identity or an account, accepts a close match, or withdraws a counterparty that the provider does not have. Refused with
 * `change_key_conflict`, `no_such_payment_account`, `counterparty_sent`, `close_match_needed`, or `provider_would_refuse`.
 */
export const changeCounterparty = defineUpdate<void, [ChangeRequest]>('changeCounterparty');
export const getCounterparty = defineQuery<CounterpartyView>('getCounterparty');

export const messages = {
  connectionRestored,
  reportTo,
  resolveAttention,
  changeCounterparty,
  view: getCounterparty,
};
