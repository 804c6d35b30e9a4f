// The messages and types of a client workflow.
import { defineQuery, defineUpdate } from '@temporalio/workflow';
import { followedMessages, reportTo } from '../contracts/every-workflow.js';
import type { Carried, ResourceEnd } from '../contracts/upgrade.js';
import type { ClientOrderRequest, Change, ChangeRequest, ClientState } from './state.js';
import type { viewOf } from './view.js';

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

export type ClientView = ReturnType<typeof viewOf>;

export type ClientEnd = ResourceEnd<ClientState>;

/** Refused with `client_final`, `client_not_registered`, `change_pending` or `change_key_conflict`. */
export const changeClient = defineUpdate<void, [ChangeRequest]>('changeClient');
export const getClient = defineQuery<ClientView>('getClient');

export const messages = {
  ...followedMessages,
  reportTo,
  changeClient,
  view: getClient,
};
