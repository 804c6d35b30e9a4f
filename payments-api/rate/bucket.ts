// A token bucket as plain numbers: the calls that may go now, and the time of the next. Pure; time is an argument.

export interface Rate {
  /** Calls per second on average: more than 0, fractions allowed. */
  perSecond: number;
  /** Calls at one instant after a rest: a whole number, at least 1. */
  burst: number;
}

/** The parts of a rate that some calls may use at most, so that the rest is always free for payments and commands. `orphans`: looking for resources that only a webhook has named. */
const SHARES = { reads: 0.8, orphans: 0.2 } as const;
export type Share = keyof typeof SHARES;

export const shareOf = ({ perSecond, burst }: Rate, share: Share): Rate => ({
  perSecond: perSecond * SHARES[share],
  burst: Math.max(1, Math.floor(burst * SHARES[share])),
});

/** The tokens available as of an instant in milliseconds. A future instant is a pause: no call may go before it. */
export interface Bucket {
  tokens: number;
  asOfMs: number;
}

/** @param nowMs epoch milliseconds. */
export const fullBucket = ({ burst }: Rate, nowMs: number): Bucket => ({ tokens: burst, asOfMs: nowMs });

/** True if the bucket equals a new one. */
export function isRested(rate: Rate, bucket: Bucket, nowMs: number): boolean {
  const { tokens, asOfMs } = refilled(rate, bucket, nowMs);
  return tokens >= rate.burst && asOfMs <= nowMs;
}

/** The bucket refilled up to now. A paused one is unchanged. */
export function refilled({ perSecond, burst }: Rate, bucket: Bucket, nowMs: number): Bucket {
  if (nowMs <= bucket.asOfMs) return bucket;
  const earned = ((nowMs - bucket.asOfMs) * perSecond) / 1000;
  return { tokens: Math.min(burst, bucket.tokens + earned), asOfMs: nowMs };
}

/** The bucket after one call, or undefined if no call may go now. Takes a refilled bucket. */
export function spent({ tokens, asOfMs }: Bucket, nowMs: number): Bucket | undefined {
  return tokens >= 1 && asOfMs <= nowMs ? { tokens: tokens - 1, asOfMs } : undefined;
}

/** Allows no call until that instant, then one call, and further calls at the rate. This avoids a burst after a pause. */
export const pausedUntil = ({ asOfMs }: Bucket, untilMs: number): Bucket => ({
  tokens: 1,
  asOfMs: Math.max(asOfMs, untilMs),
});

/** Milliseconds until the call at this place in the queue may go. Places start at 1. Takes a refilled bucket. */
export function waitMs(
  { perSecond }: Rate,
  { tokens, asOfMs }: Bucket,
  place: number,
  nowMs: number,
): number {
  const toEarnMs = (Math.max(0, place - tokens) * 1000) / perSecond;
  return Math.max(0, asOfMs - nowMs) + toEarnMs;
}
