// The contract of a connection workflow, which alone owns a grant and its tokens.
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { Instant } from '../../domain/facts/fact.js';
import type { Acceptance } from './account.js';
import type { Revocation } from './failure.js';
import type { Carried } from '../contracts/upgrade.js';
import type { ConnectionStatus, SealedTokens, ConnectionState } from './state.js';
import type { viewOf } from './view.js';

export type { Acceptance, AccountCheck } from './account.js';
export type { Revocation } from './failure.js';
export { CHECK_PROGRESS } from './failure.js';
export { CONNECTION_STATUSES } from './state.js';
export type { ConnectionStatus, ConsentedTokens, SealedTokens } from './state.js';

export const CONNECTION_WORKFLOW = 'connection';
export { connectionWorkflowId } from '../contracts/signals.js';
/** A list filter for connections that have had a consent. Others own nothing yet. delivery/open.ts also checks whether they are open. */
export const CONSENTED = `WorkflowType = '${CONNECTION_WORKFLOW}' AND ConnectionStatus != 'awaiting_consent'`;
/** Expects the workflow id of a connection. */
export const connectionIdOf = (workflowId: string): string => workflowId.slice('connection/'.length);

export interface ConnectionInput {
  id: string;
  carried?: Carried<ConnectionState> | undefined;
}

/** What calls to the provider need. Never contains the refresh token. */
export type AccessGrant = { status: ConnectionStatus } & Partial<Omit<SealedTokens, 'sealedRefresh'>>;

/** A round of consent. It can be used once, within ten minutes. */
export interface ConsentRound {
  round: number;
  /** Identifies the round together with its number, because a connection that is started again repeats the numbers. */
  expiresAt: Instant;
}

export type ConnectionView = ReturnType<typeof viewOf>;

/** Opens a round of consent. An earlier round that is still open is closed. Refused with `other_account`. */
export const beginConsent = defineUpdate<ConsentRound>('beginConsent');
export interface ConsentRequest {
  /** The caller's key. If the newest round is open and has this key, it is returned. Otherwise a new round is opened. */
  key?: string | undefined;
  /** Allows another account to consent, in this round only. */
  acceptance?: Acceptance | undefined;
  /** The account that the first consent must come from, as its hash. */
  expectedAccount?: string | undefined;
  /** An operator asks, who may replace an earlier expectation. */
  isOperator?: boolean | undefined;
  /** Whether a person must confirm the first account, unless it is the expected one. */
  needsConfirmation?: boolean | undefined;
}
/** The same update, with its argument. */
export const beginConsentAs = defineUpdate<ConsentRound, [ConsentRequest]>(beginConsent.name);
/** A browser that wants to use the link of a round. */
export interface TicketUse extends ConsentRound {
  /** The hash of the browser's cookie. */
  browser: string;
}
/**
 * Lets one browser continue with the consent of a round. The same browser may repeat it. Refused with types `consent_round_unknown`,
 * `consent_round_expired` and `consent_begun_elsewhere`.
 */
export const useTicket = defineUpdate<ConsentRound, [TicketUse]>('useTicket');
/** The sealed answer of the authorisation server, and the sealed PKCE verifier if the link used PKCE. */
export interface ConsentAnswer extends TicketUse {
  /** Sealed to the workers' public key. */
  sealedCode: string;
  sealedVerifier?: string | undefined;
}

/**
 * Submits the answer of the authorisation server. The result contains `unconfirmed` if the account could not be checked yet. Refused with types
 * `consent_round_unknown`, `consent_round_expired` and `other_account`. Fails with `code_refused`, `client_refused`, `rejected`, `rate_limited` and
 * `SealError`; and with `unavailable`, `unanswered` or `malformed` if the outcome for the code is unknown.
 */
export const completeConsent = defineUpdate<ConnectionView, [ConsentAnswer]>('completeConsent');
/** Who confirms the account of the latest consent, and why. */
export interface Confirmation extends Acceptance {
  /** Its hash, or `unknown` if the provider shows none. */
  account: string;
}
/** Accepts a consent that waits for it. Refused with types `nothing_to_confirm` and `other_account`. */
export const confirmAccount = defineUpdate<ConnectionView, [Confirmation]>('confirmAccount');
/** Deletes our tokens. Agreements wait until there is consent again. */
export const revokeConnection = defineUpdate<ConnectionView, [Revocation]>('revokeConnection');
/** Answers when there is a generation newer than `after`, when only a person can help, or after 20 seconds at the latest. */
export const ensureGeneration = defineUpdate<AccessGrant, [{ after: number }]>('ensureGeneration');
/** A refresh sends this before it returns, so that its success counts even if its answer is lost. */
export const tokensRefreshed = defineSignal<[SealedTokens]>('tokensRefreshed');
export const getAccess = defineQuery<AccessGrant>('getAccess');
export const getConnection = defineQuery<ConnectionView>('getConnection');

export const messages = {
  tokensRefreshed,
  beginConsent: beginConsentAs,
  useTicket,
  completeConsent,
  confirmAccount,
  revokeConnection,
  ensureGeneration,
  getAccess,
  getConnection,
};
