// Answers that are late, trickled, endless, of the wrong length, or missing. All stop when the connection closes.
import { setTimeout as sleep } from 'node:timers/promises';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { RealAnswer, RequestContext } from '../http/responses.js';

/** Sends no answer and destroys the connection. */
export function cut(c: RequestContext): Response {
  c.env.incoming.socket.destroy();
  return RESPONSE_ALREADY_SENT;
}

/** Waits in real time, or until the caller disconnects. */
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

/** Sends one byte at a time and pauses before each, in real time. */
export function trickled(c: RequestContext, text: string, pauseMs: number): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  let sent = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        if (sent === bytes.length) return controller.close();
        await patience(c, pauseMs);
        // The caller has disconnected, which has cancelled the stream.
        if (c.env.outgoing.destroyed) return;
        sent += 1;
        controller.enqueue(bytes.subarray(sent - 1, sent));
      },
    },
    { highWaterMark: 0 },
  );
}

/**
 * Sends the whole body with a wrong Content-Length. If the length is too large, the caller sees the connection end early. If it is too
 * small, the caller reads incomplete JSON and finds the rest where the next answer should start.
 */
export function lie({ env: { outgoing } }: RequestContext, real: RealAnswer, byBytes: number): Response {
  const body = Buffer.from(real.text === '' ? '{}' : real.text);
  const claimed = Math.max(body.length + byBytes, 0);
  outgoing.shouldKeepAlive = byBytes < 0;
  outgoing.writeHead(real.status, { 'content-type': 'application/json', 'content-length': claimed });
  outgoing.end(body);
  return RESPONSE_ALREADY_SENT;
}

// A body of any size that looks like JSON. It is generated while the caller reads it, so it uses no memory.
const ROW =
  '{"uid":"agr-0000000000000000","state":"active","description":"There is always one more of these"},';
const CHUNK_BYTES = 64 * 1024;
const CHUNK = new TextEncoder().encode(ROW.repeat(Math.ceil(CHUNK_BYTES / ROW.length)));
const BEGINNING = new TextEncoder().encode('{"data":[');

/** Exactly this many bytes, as fast as the caller reads them. It never becomes complete JSON. */
export function hugeBody(bytes: number): ReadableStream<Uint8Array> {
  let left = bytes;
  const send = (controller: ReadableStreamDefaultController<Uint8Array>, piece: Uint8Array): void => {
    controller.enqueue(piece.subarray(0, left));
    left -= Math.min(piece.length, left);
    if (left === 0) controller.close();
  };
  return new ReadableStream(
    {
      start: (controller) => {
        send(controller, BEGINNING);
      },
      pull: (controller) => {
        send(controller, CHUNK);
      },
    },
    { highWaterMark: 1 },
  );
}
