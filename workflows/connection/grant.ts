// What consents, and a revocation of ours, make of a connection's record. Plain JSON and pure.
// In:  workflows/connection/consent.ts.
import { healed, restate, revoked } from './failure.js';
import { generationOf, isGivenUp, withTokens } from './state.js';
import type { Instant } from '../../domain/fact.js';
import type { FailedConsent, Revocation } from './failure.js';
import type { ConnectionRecord, SealedTokens } from './state.js';

/** A round of consent is open for ten minutes. */
export const CONSENT_MS = 10 * 60 * 1000;

/**
 * The generation that a consent brings: beyond any that a refresh or another consent, of a grant that we still want, can
 * bring while they are on their way.
 */
export function consentedGeneration({ tokens, consent, revokedUpTo = 0 }: ConnectionRecord): number {
  const newest = Math.max(tokens?.generation ?? 0, consent.generation ?? 0);
  return newest > revokedUpTo ? newest + CONSENT_STRIDE : revokedUpTo + 1;
}
const CONSENT_STRIDE = 100;

/** A link has been used. */
export const withRoundUsed = (
  record: ConnectionRecord,
  generation = record.consent.generation,
): ConnectionRecord => ({ ...record, consent: { ...record.consent, isUsed: true, generation } });

/**
 * A person has consented: those who waited may go on. A consent that a revocation of ours or a later consent has overtaken
 * changes nothing.
 */
export const withConsent = (record: ConnectionRecord, tokens: SealedTokens): ConnectionRecord =>
  isGivenUp(record, tokens.generation) || isOvertaken(record, tokens)
    ? record
    : { ...withTokens(record, tokens), isWakeDue: true, wantedBeyond: 0 };

/** One more consent while those who waited for the one before are still being told. */
export const withNextWake = (record: ConnectionRecord): ConnectionRecord => ({
  ...record,
  wakes: (record.wakes ?? 0) + 1,
});

/** All have been told of the consent that this was for; of one that came meanwhile nobody has been told by it. */
export const withWakeOver = (record: ConnectionRecord, wakes: number | undefined): ConnectionRecord =>
  record.wakes === wakes ? { ...record, isWakeDue: false } : record;

const isOvertaken = (record: ConnectionRecord, { generation }: SealedTokens): boolean =>
  generation < (record.consent.generation ?? 0) && generation < generationOf(record);

/** A consent came to nothing. That says nothing of the tokens that stand. */
export const withFailedConsent = (
  record: ConnectionRecord,
  at: Instant,
  { code, detail }: FailedConsent,
): ConnectionRecord => ({ ...record, lastFailure: { at, code, detail: `${detail} ${AS_BEFORE}` } });
const AS_BEFORE = 'What stood before stands.';

/**
 * We want the grant no more: nothing is kept of it, nothing that is still on its way revives it, and links that were given
 * out are good no more. A new consent heals it.
 */
export const withRevocation = (
  record: ConnectionRecord,
  now: Instant,
  revocation: Revocation,
): ConnectionRecord => ({
  ...record,
  status: 'needs_reauthorisation',
  tokens: undefined,
  revokedUpTo: consentedGeneration(record),
  consent: { ...record.consent, isUsed: true },
  wantedBeyond: 0,
  failures: 0,
  retryAt: undefined,
  isWakeDue: false,
  attention: restate(healed(record.attention), revoked(record.id, now, revocation)),
});
