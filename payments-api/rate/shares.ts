// The parts of a connection's rate that some calls may use at most, so that the rest is always free for payments and commands.
import type { Rate } from './bucket.js';

/** `orphans`: looking for resources that only a webhook has named. */
const SHARES = { reads: 0.8, orphans: 0.2 } as const;
export type Share = keyof typeof SHARES;

export const shareOf = ({ perSecond, burst }: Rate, share: Share): Rate => ({
  perSecond: perSecond * SHARES[share],
  burst: Math.max(1, Math.floor(burst * SHARES[share])),
});
