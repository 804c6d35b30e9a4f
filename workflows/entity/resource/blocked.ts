// What stands in a workflow's way after a call that failed: a person's consent, an operator, or only time. Plain JSON and pure.
import { waitMs } from '../../../domain/time/poll-intervals.js';
import type { Instant } from '../../../domain/facts/fact.js';
import type { Attention } from '../../../domain/attention/flags.js';
import type { CallFailure } from '../engine/call-failure.js';

/** Why a workflow does not call the provider now: until a person has done something, or until then at the latest. */
export interface Blocked extends Attention {
  until?: Instant | undefined;
}

/** Refusals in a row that named no scope, so that each wait is longer than the one before. */
export interface Denials {
  count: number;
  since: Instant;
  /** When the wait after the newest one is over. */
  until: Instant;
}

interface Blockable {
  uid: string;
  connectionId?: string | undefined;
  blocked?: Blocked | undefined;
  denials?: Denials | undefined;
}

/** What is refused so long after it was asked again is a trouble of its own. */
const SAME_TROUBLE_MS = 60 * 60 * 1000;

const consentAgain = (connectionId = '{id}'): string =>
  `Consent again: POST /v1/connections/${connectionId}/reauthorisation answers the link. This goes on by itself then.`;

/**
 * The state that waits, where the failure was a missing consent (docs/custody.md#the-life-of-a-token: agreements wait, they do not fail)
 * or a 403; nothing for any other. A 403 that says no word of a scope may be anyone's and pass: that call is made again, ever more slowly.
 */
export function blockAfterFailure<State extends Blockable>(
  state: State,
  failure: CallFailure,
  now: Instant,
): State | undefined {
  const { code, requiredScope, lacksScope } = failure;
  const next = consentAgain(state.connectionId);
  if (code === 'needs_reauthorisation') {
    const detail = 'The connection has no consent at present.';
    return { ...state, blocked: { code, since: now, detail, next } };
  }
  if (code === 'consents_missing') return { ...state, blocked: withoutOwner(failure, now) };
  if (code !== 'forbidden') return undefined;
  if (lacksScope === true) {
    const scope = requiredScope ?? 'one that it did not name';
    const detail = `The provider asks for a scope that the consent lacks: ${scope}.`;
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

/** From 0 to 1, the same for a uid each time: what one trouble has met does not all come back at one instant. */
export const spreadOf = (uid: string): number =>
  [...uid].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 1009, 7) / 1008;

const deniedInWords = (
  { count, since, until }: Denials,
  consent: string,
): Pick<Attention, 'since' | 'detail' | 'next'> => ({
  since,
  detail: `The provider refused the call with 403 and did not say why (${count === 1 ? 'once' : `${count} times`} so far).`,
  next: `The same call is made again at ${until}. If it stays so: ask the provider whether the service is enabled for this account and the credentials are right. ${consent}`,
});

/** No connection that may be asked has it, and only those that may not be asked can change that: it is asked for again once one has consented. */
const withoutOwner = (failure: CallFailure, since: Instant): Blocked => ({
  code: 'needs_reauthorisation',
  since,
  detail: `A notification named it, and in a whole day no connection that has consent had it. Not asked, for want of consent: ${unaskedInWords(failure)}.`,
  next: 'Ask the provider whose it is, and have that merchant consent again (POST /v1/connections/{id}/reauthorisation): each consent has it asked for anew. One that is gone for good needs nothing.',
});

/** The connections that could not be asked, for a person. */
export function unaskedInWords({ unasked }: CallFailure): string {
  if (unasked === undefined) return 'it is not known which';
  if (unasked.count === 0) return 'none, as no merchant has ever consented';
  const { count, named } = unasked;
  return `${named.join(', ')}${count > named.length ? ` and ${count - named.length} more` : ''}`;
}

/** A read failed for good: an operator must see why before it makes sense to go on. */
export const blockedForGood = ({ code, providerCodes, advice }: CallFailure, since: Instant): Blocked => ({
  code: 'conflict',
  since,
  detail: `A call to the provider failed for good (${[code, ...providerCodes].join(', ')}).`,
  next: `${advice ?? 'See the failed activity in the history, and remove its cause.'} Then send the signal \`connectionRestored\`.`,
});
