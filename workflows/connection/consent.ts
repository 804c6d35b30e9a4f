// How a grant comes and goes by the will of people: rounds of consent, their end, and our own revocation.
// In:  workflows/connection/workflow.ts, by update.
// Out: activities/exchange-code.ts.
import { patched } from '@temporalio/workflow';
import { callFailureOf } from '../entity/call-failure.js';
import { exchangeCode } from '../entity/calls.js';
import { failedConsent } from './failure.js';
import { CONSENT_MS, consentedGeneration, withConsent, withFailedConsent, withNextWake, withRevocation, withRoundUsed } from './grant.js'; // prettier-ignore
import { isGivenUp } from './state.js';
import { connectionView } from './view.js';
import { refused } from '../entity/refusal.js';
import type { ConnectionView, ConsentAnswer, ConsentRound, Revocation } from './contract.js';
import type { ConnectionRecord } from './state.js';
import type { Held } from '../entity/loop.js';

/**
 * Opens a round; an earlier one that is still open is closed by it.
 * @param key the caller's own: a repeat gets the round that it opened, and a new one where nobody could consent in that any more.
 */
export function openRound({ read, change }: Held<ConnectionRecord>, key?: string): ConsentRound {
  const { consent } = read();
  if (key !== undefined && key === consent.key && !consent.isUsed && !isTooOld(consent))
    return { round: consent.round, expiresAt: consent.expiresAt };
  const round = consent.round + 1;
  const expiresAt = new Date(Date.now() + CONSENT_MS).toISOString();
  change((known) => ({ ...known, consent: { ...known.consent, round, expiresAt, isUsed: false, key } }));
  return { round, expiresAt };
}

/**
 * A link of a connection that has ended is not one of the connection that has its id now, though that may be in a round of the
 * same number.
 */
export function assertOpen(
  { consent: open }: ConnectionRecord,
  { round, expiresAt = open.expiresAt }: Pick<ConsentAnswer, 'round' | 'expiresAt'>,
): void {
  if (open.round !== round || open.expiresAt !== expiresAt || open.isUsed)
    throw refused('consent_round_unknown', 'Expected the newest consent link, not used before.');
  if (isTooOld(open)) throw refused('consent_round_expired', 'Expected consent within ten minutes.');
}

/** By the clock here, which is Temporal's: that of whoever made the link, or took the code, may be wrong. */
const isTooOld = ({ expiresAt }: ConsentRound): boolean => Date.now() > Date.parse(expiresAt);

export async function takeConsent(
  { read, change }: Held<ConnectionRecord>,
  { round, sealedCode, sealedVerifier }: ConsentAnswer,
): Promise<ConnectionView> {
  const generation = consentedGeneration(read());
  // Remembered at once: the next consent may be on its way before this one has brought anything.
  const handedOut = patched('consents-in-order') ? generation : undefined;
  change((known) => withRoundUsed(known, handedOut));
  try {
    const args = { connectionId: read().id, round, generation, sealedCode, sealedVerifier };
    const tokens = await exchangeCode(args);
    change((known) => withWakeAnew(known, withConsent(known, tokens)));
  } catch (error) {
    const failure = failedConsent(callFailureOf(error).code);
    change((known) => withFailedConsent(known, now(), failure));
    throw refused(failure.code, `${failure.detail} Begin again with a new link.`);
  }
  if (isGivenUp(read(), generation))
    throw refused(
      'consent_round_unknown',
      'The connection was revoked meanwhile. Begin again with a new link.',
    );
  return connectionView(read());
}

/** Who was told of the consent before this one may wait again, and what still tells of it has gone past them. */
function withWakeAnew(before: ConnectionRecord, consented: ConnectionRecord): ConnectionRecord {
  const isTaken = consented !== before;
  return isTaken && before.isWakeDue && patched('each-consent-wakes') ? withNextWake(consented) : consented;
}

export function revoke({ read, change }: Held<ConnectionRecord>, revocation: Revocation): ConnectionView {
  change((known) => withRevocation(known, now(), revocation));
  return connectionView(read());
}

const now = (): string => new Date().toISOString();
