// The messages and types of a counterparty workflow.
import { defineQuery, defineUpdate } from '@temporalio/workflow';
import { connectionRestored, reportTo, resolveAttention } from '../contracts/every-workflow.js';
import type { AccountOrder } from '../../domain/counterparty/request.schema.js';
import type { Checked } from '../../domain/counterparty/verification.js';
import type { Carried } from '../contracts/upgrade.js';
import type { CounterpartyOrderRequest, Change, ChangeRequest, CounterpartyState } from './state.js';
import type { viewOf } from './view.js';

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

export type CounterpartyView = ReturnType<typeof viewOf>;

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
