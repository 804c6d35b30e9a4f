// Limits how many requests wait at once (`?wait=`), for each API key and in this process. Each holds a connection of its caller.
import { createMiddleware } from 'hono/factory';
import type { Env } from './env.js';
import { ApiError } from './problems/errors.js';

export interface WaitLimiter {
  /** Returns what ends the wait. @throws ApiError `too_many_requests` */
  enter: (keyId: string) => () => void;
}

export const MOST_WAITS = { ofKey: 500, ofProcess: 2000 } as const;

export function createWaitLimiter(most: { ofKey: number; ofProcess: number } = MOST_WAITS): WaitLimiter {
  const waiting = new Map<string, number>();
  let all = 0;
  const count = (keyId: string, by: 1 | -1): void => {
    all += by;
    const ofKey = (waiting.get(keyId) ?? 0) + by;
    if (ofKey === 0) waiting.delete(keyId);
    else waiting.set(keyId, ofKey);
  };
  return {
    enter: (keyId) => {
      if ((waiting.get(keyId) ?? 0) >= most.ofKey) throw tooMany(`${most.ofKey} requests of this API key`);
      if (all >= most.ofProcess) throw tooMany(`${most.ofProcess} requests`);
      count(keyId, 1);
      return () => count(keyId, -1);
    },
  };
}

const tooMany = (most: string): ApiError =>
  new ApiError(
    'too_many_requests',
    `${most} wait for an outcome already, which is the most. This request changed nothing. Repeat it without \`wait\`, or later.`,
  );

/** Runs before anything changes, so that a refused request has had no effect. */
export const limitWaits = (limiter: WaitLimiter) =>
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
