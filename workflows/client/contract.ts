// The messages and types of a client workflow.
import { defineQuery, defineUpdate } from '@temporalio/workflow';
import { followedMessages, reportTo, type ResourceView } from '../contracts/every-workflow.js';
import type { ClientLifecycleState } from '../../domain/client/lifecycle.js';
import type { ClientOrder, ClientParticulars } from '../../domain/client/request.schema.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { Refusal } from '../../domain/facts/snapshot.js';
import type { Carried } from '../contracts/upgrade.js';
import type { ClientOrderRequest, Change, ChangeRequest, ClientState } from './state.js';

export { lookUpNow, resolveAttention } from '../contracts/every-workflow.js';
export { clientWorkflowId } from '../contracts/signals.js';
export type { ChangeRequest } from './state.js';
export const CLIENT_WORKFLOW = 'client';

export interface ClientInput extends ClientOrderRequest {
  /** The records were away when it was requested, so another one may have had its uid before (workflows/resource/unchecked.ts). */
  isUnchecked?: boolean | undefined;
  /** The state of the previous run, set by continue-as-new. */
  carried?: Carried<ClientState> | undefined;
}

export type ChangeView = Pick<Change, 'changes' | 'stage' | 'requestedAt' | 'endedAt' | 'failure'>;

export interface ClientView extends ResourceView<ClientLifecycleState> {
  order: ClientOrder;
  /** The client's details in the latest snapshot. */
  particulars?: ClientParticulars | undefined;
  /** The provider's id; absent while unknown. */
  clientId?: string | undefined;
  /** It was found at the provider instead of registered by us. */
  adopted: boolean;
  failure?: Refusal | undefined;
  requestedAt: Instant;
  requestedBy?: string | undefined;
  /** How often it was sent to the provider. */
  submissions: number;
  /** Oldest first. */
  changes: ChangeView[];
}

/** The result of a run: the view, and the state for a later run. */
export type ClientEnd = ClientView & { carried: Carried<ClientState> };

/** Refused with `client_final`, `client_not_registered`, `change_pending` or `change_key_conflict`. */
export const changeClient = defineUpdate<void, [ChangeRequest]>('changeClient');
export const getClient = defineQuery<ClientView>('getClient');

export const messages = {
  ...followedMessages,
  reportTo,
  changeClient,
  view: getClient,
};
