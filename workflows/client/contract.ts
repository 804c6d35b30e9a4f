// How the outside world addresses a client workflow.
import { defineQuery, defineUpdate } from '@temporalio/workflow';
import { connectionRestored, lookUpNow, reportTo, resolveAttention } from '../entity/contract.js';
import type { ClientLifecycleState } from '../../domain/client/lifecycle.js';
import type { ClientOrder, ClientParticulars } from '../../domain/client/request.schema.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { Refusal } from '../../domain/facts/snapshot.js';
import type { ResourceView } from '../entity/contract.js';
import type { Carried } from '../entity/engine/upgrade.js';
import type { ClientOrderRequest, Change, ChangeRequest, ClientState } from './state.js';

export { lookUpNow, resolveAttention } from '../entity/contract.js';
export { clientWorkflowId } from '../entity/signals.js';
export type { ChangeRequest } from './state.js';
export const CLIENT_WORKFLOW = 'client';

export interface ClientInput extends ClientOrderRequest {
  /** Everything that the run before knew: set by continue-as-new. */
  carried?: Carried<ClientState> | undefined;
}

export type ChangeView = Pick<Change, 'changes' | 'stage' | 'requestedAt' | 'endedAt' | 'failure'>;

export interface ClientView extends ResourceView<ClientLifecycleState> {
  /** What was asked for. */
  order: ClientOrder;
  /** As the provider showed it last. */
  particulars?: ClientParticulars | undefined;
  /** The provider's own; absent while that is not known. */
  clientId?: string | undefined;
  /** It was found at the provider, and not registered by us. */
  adopted: boolean;
  failure?: Refusal | undefined;
  requestedAt: Instant;
  requestedBy?: string | undefined;
  /** How often it was sent to the provider. */
  submissions: number;
  /** The newest last. */
  changes: ChangeView[];
}

/** How a run ends: what stands, and all that a later run needs to take it up again. */
export type ClientEnd = ClientView & { carried: Carried<ClientState> };

/** Refused with `client_not_registered`, `change_pending` or `change_key_conflict`. */
export const changeClient = defineUpdate<void, [ChangeRequest]>('changeClient');
export const getClient = defineQuery<ClientView>('getClient');

export const messages = {
  connectionRestored,
  reportTo,
  lookUpNow,
  resolveAttention,
  changeClient,
  getClient,
};
