// The view of a connection, for callers of the provider and for operators.
import { WAITS } from '../../domain/attention/awaiting.js';
import { CONNECTION_STATUS } from '../contracts/search-attributes.js';
import { published as publishedBy, readable, type Published } from '../engine/publish.js';
import { desiredSteps } from './desired-steps.js';
import { CHECK_IN_WORDS } from './failure.js';
import { generationOf, newConnection, type ConnectionState } from './state.js';
import type { AccessGrant } from './contract.js';

export function viewOf(state: ConnectionState) {
  const { id, status, tokens, account, expectedAccount, awaiting, attention, createdAt, lastFailure } = state;
  const { expiresAt, scope } = tokens ?? {};
  const generation = generationOf(state);
  const unconfirmed = unconfirmedIn(state);
  return {
    id,
    status,
    generation,
    expectedAccount,
    expiresAt,
    scope,
    account,
    unconfirmed,
    awaiting,
    attention,
    createdAt,
    lastFailure,
  };
}

/** The view of a new connection. The API answers the request with it, before the workflow runs. */
export const firstView = (...requested: Parameters<typeof newConnection>) =>
  viewOf(newConnection(...requested));

function unconfirmedIn({ unconfirmed }: ConnectionState) {
  if (unconfirmed === undefined) return undefined;
  const { since, progress, account } = unconfirmed;
  return { since, progress, account, detail: CHECK_IN_WORDS[progress] };
}

/** What calls to the provider need. The refresh token stays in the workflow. */
export function accessOf({ status, tokens }: ConnectionState): AccessGrant {
  if (tokens === undefined) return { status };
  const { generation, expiresAt, refreshAt, scope, sealedAccess } = tokens;
  return { status, generation, expiresAt, refreshAt, scope, sealedAccess };
}

export const published = (state: ConnectionState): Published =>
  publishedBy({
    title: `Connection ${state.id} is ${state.status.replaceAll('_', ' ')}`,
    awaiting: state.awaiting,
    attention: state.attention,
    connectionId: state.id,
    own: [{ key: CONNECTION_STATUS, value: state.status }],
    notes: notesOf(state),
  });

function notesOf(state: ConnectionState): string[] {
  const { tokens, unconfirmed, lastFailure } = state;
  const isRefreshing = desiredSteps(state).some((step) => step.do === 'refresh');
  return [
    ...(unconfirmed === undefined ? [] : [CHECK_IN_WORDS[unconfirmed.progress]]),
    tokens === undefined
      ? WAITS.consent.next
      : `token generation ${tokens.generation}, valid until ${readable(tokens.expiresAt)}, refreshed only when needed`,
    ...(isRefreshing ? ['refresh in progress'] : []),
    ...(lastFailure === undefined ? [] : [`last failure ${readable(lastFailure.at)}: ${lastFailure.detail}`]),
  ];
}
