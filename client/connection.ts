// One connection to the feed: what counts as lost, and when to try again.
import { problemOf } from './problem.js';

/** The connection failed in a way that another one may not. */
export class Lost extends Error {
  constructor(
    override readonly cause: unknown,
    /** As the response wanted. */
    readonly retryAfterMs = 0,
  ) {
    super('lost the connection to the feed of events');
  }
}

export interface Connection {
  /** Of its requests. */
  signal: AbortSignal;
  /** Waits for something from the network. @throws Lost if it fails, or takes too long. */
  within: <Result>(work: Promise<Result>) => Promise<Result>;
  /** The content of the response as it arrives. @throws Lost */
  chunksOf: (response: Response) => AsyncGenerator<Uint8Array, void, undefined>;
  close: () => void;
}

/** The API writes at least every 15 s to a stream, and answers a page after 30 s. */
const SILENT_MS = 60_000;

/** A connection that ends with the signal, or if nothing arrives for a minute. The time between two reads does not count. */
export function openConnection(signal: AbortSignal | undefined): Connection {
  const own = new AbortController();
  const either = signal ? AbortSignal.any([signal, own.signal]) : own.signal;
  const close = (reason?: Error) => own.abort(reason);

  // It also ends for a `fetch` of your own that ignores the signal.
  const within: Connection['within'] = (work) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(close, SILENT_MS, new Error(`nothing arrived for ${SILENT_MS / 1000} s`));
      const finish = () => {
        clearTimeout(timer);
        either.removeEventListener('abort', end);
      };
      const end = () => {
        finish();
        reject(new Lost(either.reason));
      };
      either.addEventListener('abort', end);
      work.then(resolve, (cause: unknown) => reject(new Lost(cause))).finally(finish);
      if (either.aborted) end();
    });

  const chunksOf: Connection['chunksOf'] = async function* (response) {
    const reader = response.body?.getReader();
    if (reader === undefined) return;
    try {
      for (;;) {
        const { done, value } = await within(reader.read());
        if (done) return;
        yield value;
      }
    } finally {
      // It rejects if the response has failed, which `within` has reported.
      reader.cancel(either.reason).catch(() => undefined);
    }
  };
  return { signal: either, within, chunksOf, close };
}

/** The API or a proxy sends these while it is busy or restarts. */
const isTemporary = (status: number): boolean =>
  status >= 500 || status === 408 || status === 425 || status === 429;

/** @throws Lost for a response that another request may not get, and ApiProblem for any other that is no success. */
export function requireSuccess(response: Response, content: unknown): void {
  if (response.ok) return;
  const problem = problemOf(response, content);
  if (isTemporary(response.status)) throw new Lost(problem, retryAfterMsOf(response));
  throw problem;
}

/** `Retry-After` has seconds or a date. */
function retryAfterMsOf({ headers }: Response): number {
  const value = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const atMs = Date.parse(value);
  return Number.isNaN(atMs) ? 0 : Math.max(0, atMs - Date.now());
}

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;

/** It doubles with each failure, to 30 s. Up to half of it is left out at random, so that not all readers return at once. */
export function pauseAfter(
  { retryAfterMs }: Lost,
  { failures, retryMs = FIRST_PAUSE_MS }: { failures: number; retryMs: number | undefined },
): number {
  const longest = Math.min(retryMs * 2 ** failures, LONGEST_PAUSE_MS);
  return Math.max(retryAfterMs, Math.round(longest * (1 - Math.random() / 2)));
}

/** Ends early with the signal. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted === true) return;
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });
}
