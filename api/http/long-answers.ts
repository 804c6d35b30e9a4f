// Limits how many answers of any size (CSV and JSON lines) are written at once. Otherwise a few callers that read slowly would occupy all
// connections to the records database.
import type { Context } from 'hono';
import { traceOf, type Logger } from '../../telemetry/logger.js';
import type { Env } from './env.js';
import { streamed } from './streamed.js';
import { createLimiter, type Limiter } from './wait-limiter.js';

export interface LongAnswers {
  /** Read page by page: between two pages, they occupy no connection to the database. */
  paged: Limiter;
  /** Of one moment: each occupies a connection to the database until its end. The pool has ten. */
  ofOneMoment: Limiter;
}

const MOST_LONG_ANSWERS = {
  paged: { ofKey: 5, ofProcess: 20 },
  ofOneMoment: { ofKey: 2, ofProcess: 3 },
} as const;

/** A caller that takes no part for so long is cut off. Shorter than the time after which the database ends an idle transaction. */
export const STALLED_MS = 45_000;

export const createLongAnswers = (): LongAnswers => ({
  paged: createLimiter(MOST_LONG_ANSWERS.paged, refusalOf('CSV or JSON lines')),
  ofOneMoment: createLimiter(MOST_LONG_ANSWERS.ofOneMoment, refusalOf('the journal')),
});

const refusalOf =
  (what: string) =>
  (which: string): string =>
    `${which} for ${what} are under way already, which is the most. Read the answers to their end, or close them, and repeat this request later.`;

interface Long {
  log: Logger;
  limiter: Limiter;
  type: string;
  /** Ends early if the caller leaves. Needed if it occupies something until its end. */
  source?: AsyncGenerator<unknown>;
}

/**
 * Answers part by part. Its place in the limiter is free again once the answer has ended, or its caller has left.
 * @param partsOf reads the first part, so that its errors are still a problem with a status.
 * @throws ApiError `too_many_requests`, and what `partsOf` throws.
 */
export async function longAnswer(
  c: Context<Env>,
  { log, limiter, type, source }: Long,
  partsOf: () => Promise<AsyncIterable<string>>,
): Promise<Response> {
  c.header('content-type', type);
  // Nothing would read the parts.
  if (c.req.method === 'HEAD') return c.body(null);
  const leave = limiter.enter(c.get('apiKey')?.id ?? '');
  const end = once(async () => {
    await source
      ?.return(undefined)
      .catch((error: unknown) => log.warn('closing a long answer failed', traceOf(error)));
    leave();
  });
  c.req.raw.signal.addEventListener('abort', end);
  try {
    const parts = await partsOf();
    if (c.req.raw.signal.aborted) end();
    return streamed(c, log, untilEnd(parts, { end, cut: () => cut(c) }));
  } catch (error) {
    end();
    throw error;
  }
}

async function* untilEnd(
  parts: AsyncIterable<string>,
  { end, cut: cutOff }: { end: () => void; cut: () => void },
): AsyncGenerator<string> {
  const stalled = (): void => {
    cutOff();
    end();
  };
  let timer: NodeJS.Timeout | undefined;
  try {
    for await (const part of parts) {
      timer = setTimeout(stalled, STALLED_MS).unref();
      yield part;
      clearTimeout(timer);
    }
  } finally {
    clearTimeout(timer);
    end();
  }
}

/** Closes the connection, so that its caller does not take the answer for whole. */
function cut({ env }: Context<Env>): void {
  const { outgoing } = (env as Partial<Env['Bindings']> | undefined) ?? {};
  outgoing?.destroy();
}

function once(work: () => Promise<void>): () => void {
  let isStarted = false;
  return () => {
    if (!isStarted) void work();
    isStarted = true;
  };
}
