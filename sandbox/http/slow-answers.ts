// Answers that come late, byte by byte, with a lying length, or not at all. None outlives its connection.
import { setTimeout as sleep } from 'node:timers/promises';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { RealAnswer, RequestContext } from './responses.js';

/** No answer at all: the connection is destroyed. */
export function cut(c: RequestContext): Response {
  c.env.incoming.socket.destroy();
  return RESPONSE_ALREADY_SENT;
}

/** Waits in real time; no longer than the caller does. */
export async function patience({ env: { outgoing } }: RequestContext, milliseconds: number): Promise<void> {
  if (outgoing.destroyed) return;
  const gone = new AbortController();
  const leave = (): void => {
    gone.abort();
  };
  outgoing.once('close', leave);
  try {
    await sleep(milliseconds, undefined, { signal: gone.signal });
  } catch (error) {
    if (!gone.signal.aborted) throw error;
  } finally {
    outgoing.off('close', leave);
  }
}

/** The bytes one by one, with that much real time before each. */
export function trickled(c: RequestContext, text: string, pauseMs: number): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  let sent = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        if (sent === bytes.length) return controller.close();
        await patience(c, pauseMs);
        // Whoever has left has cancelled the stream, and gets no more of it.
        if (c.env.outgoing.destroyed) return;
        sent += 1;
        controller.enqueue(bytes.subarray(sent - 1, sent));
      },
    },
    { highWaterMark: 0 },
  );
}

/**
 * The whole body under a Content-Length that is wrong by so many bytes. Told of more than comes, the caller meets the
 * end of the connection; told of fewer, it reads half of the JSON and finds the rest where the next answer should be.
 */
export function lie({ env: { outgoing } }: RequestContext, real: RealAnswer, byBytes: number): Response {
  const body = Buffer.from(real.text === '' ? '{}' : real.text);
  const claimed = Math.max(body.length + byBytes, 0);
  outgoing.shouldKeepAlive = byBytes < 0;
  outgoing.writeHead(real.status, { 'content-type': 'application/json', 'content-length': claimed });
  outgoing.end(body);
  return RESPONSE_ALREADY_SENT;
}
