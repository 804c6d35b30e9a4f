// Limits how many requests of a sort are under way at once, for each API key and in this process. Of those that wait (`?wait=`), each occupies a connection.
import { createMiddleware } from 'hono/factory';
import type { Env } from './env.js';
import { ApiError } from './problems/errors.js';

export interface Limiter {
  /** Returns what frees the place. @throws ApiError `too_many_requests` */
  enter: (keyId: string) => () => void;
}

interface Most {
  ofKey: number;
  ofProcess: number;
}

const MOST_WAITS = { ofKey: 500, ofProcess: 2000 } as const;

export const createWaitLimiter = (most: Most = MOST_WAITS): Limiter =>
  createLimiter(
    most,
    (which) =>
      `${which} wait for an outcome already, which is the most. This request changed nothing. Repeat it without \`wait\`, or later.`,
  );

/** @param refusal makes the detail of the problem from the limit that was reached. */
export function createLimiter(most: Most, refusal: (which: string) => string): Limiter {
  const tooMany = (which: string): ApiError => new ApiError('too_many_requests', refusal(which));
  const entered = new Map<string, number>();
  let all = 0;
  const count = (keyId: string, by: 1 | -1): void => {
    all += by;
    const ofKey = (entered.get(keyId) ?? 0) + by;
    if (ofKey === 0) entered.delete(keyId);
    else entered.set(keyId, ofKey);
  };
  return {
    enter: (keyId) => {
      if ((entered.get(keyId) ?? 0) >= most.ofKey) throw tooMany(`${most.ofKey} requests of this API key`);
      if (all >= most.ofProcess) throw tooMany(`${most.ofProcess} requests`);
      count(keyId, 1);
      return () => count(keyId, -1);
    },
  };
}

/** Runs before anything changes, so that a refused request has had no effect. */
export const limitWaits = (limiter: Limiter) =>
  createMiddleware<Env>(async (c, next) => {
    const seconds = Number(c.req.query('wait') ?? 0);
    if (!(seconds > 0)) return next();
    const leave = limiter.enter(c.get('apiKey')?.id ?? '');
    try {
      await next();
    } finally {
      leave();
    }
  });
