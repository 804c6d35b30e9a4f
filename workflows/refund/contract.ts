// How the outside world addresses a refund workflow.
import { defineQuery, defineSignal } from '@temporalio/workflow';
import { connectionRestored, lookUpNow, resolveAttention } from '../entity/contract.js';
import type { Fact, Instant } from '../../domain/facts/fact.js';
import type { RefundLifecycleState } from '../../domain/refund/lifecycle.js';
import type { RefundOrder } from '../../domain/refund/request.schema.js';
import type { RefundFailure, RefundSnapshot } from '../../domain/facts/snapshot.js';
import type { ResourceView } from '../entity/contract.js';
import type { Carried } from '../entity/engine/upgrade.js';
import type { RefundState } from './state.js';

export { lookUpNow, resolveAttention } from '../entity/contract.js';
export { refundWorkflowId } from '../entity/signals.js';
export const REFUND_WORKFLOW = 'refund';

export interface RefundInput {
  uid: string;
  /** Whose account it belongs to; absent when adopting a refund that was not asked for here. */
  connectionId?: string | undefined;
  /** What to submit; absent when adopting. */
  order?: RefundOrder | undefined;
  /** When its payment admitted it; absent when adopting. */
  requestedAt?: Instant | undefined;
  /** The principal that asked for it. */
  requestedBy?: string | undefined;
  /** Everything that the run before knew: set by continue-as-new, and by an event that comes after the end. */
  carried?: Carried<RefundState> | undefined;
  /** The run before it had ended. */
  isReopened?: boolean | undefined;
}

export interface RefundView extends ResourceView<RefundLifecycleState> {
  /** Of one that was found at the provider as much as it shows. */
  order?: RefundSnapshot['order'] | undefined;
  failure?: RefundFailure | undefined;
  requestedAt: Instant;
  requestedBy?: string | undefined;
  /** How often it was sent to the provider: always under this one uid. */
  submissions: number;
}

/** How a run ends: what stands, and all that a later run needs to take it up again. */
export type RefundEnd = RefundView & { carried: Carried<RefundState> };

/** A provider's event about this refund. */
export const refundFact = defineSignal<[Fact]>('refundFact');
export const getRefund = defineQuery<RefundView>('getRefund');

export const messages = { refundFact, connectionRestored, lookUpNow, resolveAttention, getRefund };
