// How the outside world addresses a connection workflow: the one owner of a grant and its rotating tokens.
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { Instant } from '../../domain/facts/fact.js';
import type { Attention } from '../../domain/attention/flags.js';
import type { Awaiting } from '../../domain/attention/awaiting.js';
import type { Acceptance, Account } from './account.js';
import type { CheckProgress, Revocation } from './failure.js';
import type { Carried } from '../entity/engine/upgrade.js';
import type { ConnectionStatus, SealedTokens, ConnectionState } from './state.js';

export type { Acceptance, AccountCheck } from './account.js';
export type { Revocation } from './failure.js';
export { CHECK_PROGRESS } from './failure.js';
export { CONNECTION_STATUSES } from './state.js';
export type { ConnectionStatus, ConsentedTokens, SealedTokens } from './state.js';

export const CONNECTION_WORKFLOW = 'connection';
export const connectionWorkflowId = (id: string): string => `connection/${id}`;
/** Of lists: those that have ever had a consent, and others own nothing yet. Whether they are open is asked beside it (delivery/open.ts). */
export const CONSENTED = `WorkflowType = '${CONNECTION_WORKFLOW}' AND ConnectionStatus != 'awaiting_consent'`;
/** Expects the id of a connection's workflow. */
export const connectionIdOf = (workflowId: string): string => workflowId.slice('connection/'.length);

export interface ConnectionInput {
  id: string;
  carried?: Carried<ConnectionState> | undefined;
}

/** What a caller of the provider needs; never the refresh token. */
export type AccessGrant = { status: ConnectionStatus } & Partial<Omit<SealedTokens, 'sealedRefresh'>>;

/** One round of consent: its number is bound into the OAuth `state`, good once and for ten minutes. */
export interface ConsentRound {
  round: number;
  expiresAt: Instant;
}

export interface ConnectionView {
  id: string;
  status: ConnectionStatus;
  generation: number;
  expiresAt?: Instant | undefined;
  scope?: string | undefined;
  account?: Account | undefined;
  /** Absent where no consent waits for the check of its account. */
  unconfirmed?: { since: Instant; progress: CheckProgress; detail: string } | undefined;
  awaiting: Awaiting;
  attention: Attention[];
  createdAt: Instant;
  lastFailure?: { at: Instant; code: string; detail: string } | undefined;
}

/** Opens a round of consent; an earlier round that is still open is closed. */
export const beginConsent = defineUpdate<ConsentRound>('beginConsent');
export interface ConsentRequest {
  /** A caller's key: answers the newest round where it was opened by that key and is still open, and opens one else. */
  key?: string | undefined;
  /** Another account than that which the connection is bound to may consent in this round, and in no other. */
  acceptance?: Acceptance | undefined;
}
/** The same, as a caller asks for it. */
export const beginConsentAs = defineUpdate<ConsentRound, [ConsentRequest]>(beginConsent.name);
/** What the authorisation server sent back, sealed; the verifier where the link was made with PKCE. */
export interface ConsentAnswer {
  round: number;
  /** Of the round, as its link has it: rounds are counted anew where a connection is begun again. */
  expiresAt: Instant;
  sealedCode: string;
  sealedVerifier?: string | undefined;
}

/**
 * Hands in what the authorisation server sent back. The answer shows `unconfirmed` where the account could not be checked yet.
 * Refused with types `consent_round_unknown`, `consent_round_expired`, `other_account`; fails with `code_refused`, `client_refused`, `rejected`,
 * `rate_limited`, `SealError`, and with `unavailable`, `unanswered` or `malformed` where it is not known what became of the code.
 */
export const completeConsent = defineUpdate<ConnectionView, [ConsentAnswer]>('completeConsent');
/** Has our tokens forgotten; agreements wait until there is consent again. */
export const revokeConnection = defineUpdate<ConnectionView, [Revocation]>('revokeConnection');
/** Answers once there is a generation beyond `after`, or once it is plain that only a person can help. */
export const ensureGeneration = defineUpdate<AccessGrant, [{ after: number }]>('ensureGeneration');
/** Sent by a refresh before it returns, so that a success counts even when its answer is lost. */
export const tokensRotated = defineSignal<[SealedTokens]>('tokensRotated');
export const getAccess = defineQuery<AccessGrant>('getAccess');
export const getConnection = defineQuery<ConnectionView>('getConnection');

export const messages = {
  tokensRotated,
  beginConsent: beginConsentAs,
  completeConsent,
  revokeConnection,
  ensureGeneration,
  getAccess,
  getConnection,
};
