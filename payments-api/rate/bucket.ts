// A token bucket as plain numbers: how many calls may go now, and when the next may. Pure; time is an argument.

export interface Rate {
  /** Calls a second in the long run: more than 0, fractions allowed. */
  perSecond: number;
  /** Calls at one instant after a rest: a whole number, at least 1. */
  burst: number;
}

/** What may be spent as of an instant in milliseconds. An instant to come is a pause: nothing may go before it. */
export interface Bucket {
  tokens: number;
  asOfMs: number;
}

/** @param nowMs epoch milliseconds. */
export const fullBucket = ({ burst }: Rate, nowMs: number): Bucket => ({ tokens: burst, asOfMs: nowMs });

/** Whether it differs in nothing from a new one. */
export function isRested(rate: Rate, bucket: Bucket, nowMs: number): boolean {
  const { tokens, asOfMs } = refilled(rate, bucket, nowMs);
  return tokens >= rate.burst && asOfMs <= nowMs;
}

/** The same bucket, now. A paused one stays as it is. */
export function refilled({ perSecond, burst }: Rate, bucket: Bucket, nowMs: number): Bucket {
  if (nowMs <= bucket.asOfMs) return bucket;
  const earned = ((nowMs - bucket.asOfMs) * perSecond) / 1000;
  return { tokens: Math.min(burst, bucket.tokens + earned), asOfMs: nowMs };
}

/** One call less to spend, or nothing when none may go now. Takes a refilled bucket. */
export function spent({ tokens, asOfMs }: Bucket, nowMs: number): Bucket | undefined {
  return tokens >= 1 && asOfMs <= nowMs ? { tokens: tokens - 1, asOfMs } : undefined;
}

/** Nothing before that instant; then one call, and the others at the rate, so that the end of a pause is no stampede. */
export const pausedUntil = ({ asOfMs }: Bucket, untilMs: number): Bucket => ({
  tokens: 1,
  asOfMs: Math.max(asOfMs, untilMs),
});

/** Milliseconds until the call at this place in the queue may go; the first has place 1. Takes a refilled bucket. */
export function waitMs(
  { perSecond }: Rate,
  { tokens, asOfMs }: Bucket,
  place: number,
  nowMs: number,
): number {
  const toEarnMs = (Math.max(0, place - tokens) * 1000) / perSecond;
  return Math.max(0, asOfMs - nowMs) + toEarnMs;
}
