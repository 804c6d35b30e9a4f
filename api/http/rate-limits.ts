// Limits requests by API key, and by address for callers without one. Counted in this process only: with several API processes behind one
// address, each allows the whole rate. The bridge has its own bound (api/routes/webhook/receive.ts).
import { isIPv6 } from 'node:net';
import { getConnInfo } from '@hono/node-server/conninfo';
import { rateLimiter } from 'hono-rate-limiter';
import type { Context, Next } from 'hono';
import type { Env } from './env.js';
import { ApiError } from './problems/errors.js';

/** Goes on with `next`. @throws ApiError `too_many_requests` */
type Limit = (c: Context<Env>, next: Next) => Promise<Response | void>;

export interface RateLimits {
  /** For requests with a valid API key. */
  ofKey: Limit;
  /** For requests without one, by the caller's address. */
  ofAddress: Limit;
}

interface Settings {
  /** Requests per second, on average over the window; 0: no limit. */
  perKey: number;
  perAddress: number;
  /** How many proxies in front of us add the address of their client to X-Forwarded-For. */
  proxies: number;
}

const WINDOW_SECONDS = 10;

const unlimited: Limit = (_, next) => next();

export const createRateLimits = ({ perKey, perAddress, proxies }: Settings): RateLimits => ({
  ofKey: limited(perKey, (c) => c.get('apiKey')?.id ?? ''),
  ofAddress: limited(perAddress, (c) => addressOf(c, proxies)),
});

export const NO_RATE_LIMITS: RateLimits = { ofKey: unlimited, ofAddress: unlimited };

function limited(perSecond: number, keyGenerator: (c: Context<Env>) => string): Limit {
  if (perSecond === 0) return unlimited;
  return rateLimiter<Env>({
    windowMs: WINDOW_SECONDS * 1000,
    limit: perSecond * WINDOW_SECONDS,
    standardHeaders: 'draft-7',
    keyGenerator,
    handler: (c) => {
      throw tooMany(perSecond, c.res.headers.get('retry-after'));
    },
  });
}

const tooMany = (perSecond: number, seconds: string | null): ApiError =>
  new ApiError(
    'too_many_requests',
    `Expected at most ${perSecond} requests per second on average. This request changed nothing. Repeat it later.`,
    { headers: { 'retry-after': seconds ?? String(WINDOW_SECONDS) } },
  );

/** The address of the caller. Of IPv6 the network, because one caller has a whole network. */
function addressOf(c: Context<Env>, proxies: number): string {
  const forwarded = (c.req.header('x-forwarded-for') ?? '').split(',').flatMap((one) => one.trim() || []);
  const named = proxies === 0 ? undefined : forwarded[Math.max(forwarded.length - proxies, 0)];
  return networkOf(named ?? getConnInfo(c).remote.address ?? '');
}

const IPV4_IN_IPV6 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const GROUPS_OF_NETWORK = 4;

export function networkOf(address: string): string {
  const [, ipv4] = IPV4_IN_IPV6.exec(address) ?? [];
  if (ipv4 !== undefined || !isIPv6(address)) return ipv4 ?? address;
  const [before = '', after] = address.split('::');
  const [head, tail] = [before, after ?? ''].map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array<string>(Math.max(8 - (head?.length ?? 0) - (tail?.length ?? 0), 0)).fill('0');
  return [...(head ?? []), ...zeros, ...(tail ?? [])].slice(0, GROUPS_OF_NETWORK).join(':');
}
