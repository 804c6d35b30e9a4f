// How the outside world addresses a counterparty workflow.
import { defineQuery, defineUpdate } from '@temporalio/workflow';
import { connectionRestored, reportTo, resolveAttention } from '../entity/contract.js';
import type { CounterpartyLifecycleState } from '../../domain/counterparty/lifecycle.js';
import type { AccountOrder, CounterpartyOrder } from '../../domain/counterparty/request.schema.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { Refusal } from '../../domain/facts/snapshot.js';
import type { Checked } from '../../domain/counterparty/verification.js';
import type { ResourceView } from '../entity/contract.js';
import type { Carried } from '../entity/engine/upgrade.js';
import type { CounterpartyOrderRequest, Change, ChangeRequest, CounterpartyState } from './state.js';

export { resolveAttention } from '../entity/contract.js';
export { counterpartyWorkflowId } from '../entity/signals.js';
export type { CounterpartyOrderRequest, ChangeRequest } from './state.js';
export const COUNTERPARTY_WORKFLOW = 'counterparty';

export interface CounterpartyInput extends CounterpartyOrderRequest {
  /** Everything that the run before knew: set by continue-as-new. */
  carried?: Carried<CounterpartyState> | undefined;
}

export interface AccountView extends AccountOrder {
  /** What its newest verification came to; absent while there is none, and where none was asked for. */
  checked?: Checked | undefined;
  /** How often it was looked into. */
  tries: number;
  /** Whether nothing stands in the way of registering it. */
  isCleared: boolean;
}

export type CounterpartyChange = Pick<Change, 'kind' | 'accountUid' | 'reason' | 'by' | 'at'>;

/** A run of one that is registered rests, and does not end: the provider shows none of it again. */
export interface CounterpartyView extends ResourceView<CounterpartyLifecycleState> {
  /** What was asked for; as it is now, its accounts say. */
  order: CounterpartyOrder;
  /** As it is now, corrections included. */
  identity?: CounterpartyOrder['identity'];
  accounts: AccountView[];
  /** The provider's own; absent while it is not registered, and where the answer that named it was lost. */
  counterpartyId?: string | undefined;
  /** Accounts whose uids were taken already showed that it is there, or an operator said so. */
  adopted: boolean;
  /** Why it failed, or why the provider refused it last. */
  failure?: Refusal | undefined;
  requestedAt: Instant;
  requestedBy?: string | undefined;
  /** How often it was sent to the provider. */
  submissions: number;
  /** What persons have corrected and accepted, the newest last. */
  changes: CounterpartyChange[];
}

/** How a run ends: what stands, and all that a later run needs to take it up again. */
export type CounterpartyEnd = CounterpartyView & { carried: Carried<CounterpartyState> };

/**
 * Corrects the identity or an account, accepts a close match, or withdraws what the provider does not have. Refused with `change_key_conflict`, `no_such_payment_account`,
 * `counterparty_sent`, `close_match_needed`, or `provider_would_refuse`.
 */
export const changeCounterparty = defineUpdate<void, [ChangeRequest]>('changeCounterparty');
export const getCounterparty = defineQuery<CounterpartyView>('getCounterparty');

export const messages = {
  connectionRestored,
  reportTo,
  resolveAttention,
  changeCounterparty,
  getCounterparty,
};
