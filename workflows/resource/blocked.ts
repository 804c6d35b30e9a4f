// Why a workflow makes no calls after a failure: it waits for consent, for an operator, or until a given time. Plain JSON and pure.
import { waitMs } from '../../domain/time/poll-intervals.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { Attention } from '../../domain/attention/flags.js';
import type { CallFailure } from '../engine/call-failure.js';

/** Why a workflow does not call the provider. It waits until a person acts, or at most until `until`. */
export interface Blocked extends Attention {
  until?: Instant | undefined;
}

/** 403 refusals in a row that named no scope. Each wait is longer than the previous one. */
export interface Denials {
  count: number;
  since: Instant;
  /** When the current wait ends. */
  until: Instant;
}

interface Blockable {
  uid: string;
  connectionId?: string | undefined;
  blocked?: Blocked | undefined;
  denials?: Denials | undefined;
}

/** A refusal later than this after the previous wait counts as the first of a new series. */
const SAME_TROUBLE_MS = 60 * 60 * 1000;

const consentAgain = (connectionId = '{id}'): string =>
  `Have the merchant consent again: POST /v1/connections/${connectionId}/reauthorisation returns the link. We then resume automatically.`;

/**
 * The waiting state after a missing consent (docs/custody.md#the-life-of-a-token: agreements wait, they do not fail) or a 403. A 403 that does not
 * mention a scope may have any cause and may pass, so the call is retried with backoff.
 * @returns undefined for any other failure.
 */
export function blockAfterFailure<State extends Blockable>(
  state: State,
  failure: CallFailure,
  now: Instant,
): State | undefined {
  const { code, requiredScope, lacksScope } = failure;
  const next = consentAgain(state.connectionId);
  if (code === 'needs_reauthorisation') {
    const detail = 'The connection currently has no consent.';
    return { ...state, blocked: { code, since: now, detail, next } };
  }
  if (code === 'consents_missing') return { ...state, blocked: withoutOwner(failure, now) };
  if (code !== 'forbidden') return undefined;
  if (lacksScope === true) {
    const scope = requiredScope ?? 'not named';
    const detail = `The provider requires a scope that the consent lacks: ${scope}.`;
    return { ...state, blocked: { code, since: now, detail, next } };
  }
  const denials = countDenial(state, now, failure);
  return { ...state, denials, blocked: { code, ...deniedInWords(denials, next), until: denials.until } };
}

function countDenial({ uid, denials }: Blockable, now: Instant, { retryAfterMs = 0 }: CallFailure): Denials {
  const isInRow = denials !== undefined && Date.parse(now) - Date.parse(denials.until) < SAME_TROUBLE_MS;
  const { count, since } = isInRow ? denials : { count: 0, since: now };
  const pauseMs = Math.max(waitMs('denied', count + 1, spreadOf(uid)), retryAfterMs);
  return { count: count + 1, since, until: new Date(Date.parse(now) + pauseMs).toISOString() };
}

/** A number from 0 to 1, fixed for each uid. It spreads retries, so that not all workflows retry at the same instant. */
export const spreadOf = (uid: string): number =>
  [...uid].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 1009, 7) / 1008;

const deniedInWords = (
  { count, since, until }: Denials,
  consent: string,
): Pick<Attention, 'since' | 'detail' | 'next'> => ({
  since,
  detail: `The provider refused the call with 403 and gave no reason (${count === 1 ? 'once' : `${count} times`} so far).`,
  next: `We retry the call at ${until}. If it is still refused, ask the provider whether the service is enabled for this account and the credentials are right. ${consent}`,
});

/** No searched connection has the resource. The search restarts when an unsearched connection gets consent. */
const withoutOwner = (failure: CallFailure, since: Instant): Blocked => ({
  code: 'needs_reauthorisation',
  since,
  detail: `A notification named this resource, but no connection with consent had it during a whole day. Not searched, because consent is missing: ${unaskedInWords(failure)}.`,
  next: 'Ask the provider which merchant owns it, and have that merchant consent again (POST /v1/connections/{id}/reauthorisation). Each consent restarts the search. If that merchant has left for good, do nothing.',
});

/** The connections that could not be searched, as text. */
export function unaskedInWords({ unasked }: CallFailure): string {
  if (unasked === undefined) return 'unknown';
  if (unasked.count === 0) return 'none, because no merchant has ever consented';
  const { count, named } = unasked;
  return `${named.join(', ')}${count > named.length ? ` and ${count - named.length} more` : ''}`;
}

/** Blocks the workflow after a read failed for good, until an operator has seen why. */
export const blockedForGood = ({ code, providerCodes, advice }: CallFailure, since: Instant): Blocked => ({
  code: 'conflict',
  since,
  detail: `A call to the provider failed permanently (${[code, ...providerCodes].join(', ')}).`,
  next: `${advice ?? 'Find the failed activity in the history and remove its cause.'} Then send the signal \`connectionRestored\`.`,
});

/** The state after a read failed for good: it waits for consent or for an operator. */
export const stopped = <State extends Blockable>(
  state: State,
  failure: CallFailure,
  { now }: { now: Instant },
): State => blockAfterFailure(state, failure, now) ?? { ...state, blocked: blockedForGood(failure, now) };
