// Answers that come late, byte by byte, with a lying length, without an end, or not at all. None outlives its connection.
import { setTimeout as sleep } from 'node:timers/promises';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { RealAnswer, RequestContext } from '../http/responses.js';

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
        // A caller that has left has cancelled the stream, and gets no more of it.
        if (c.env.outgoing.destroyed) return;
        sent += 1;
        controller.enqueue(bytes.subarray(sent - 1, sent));
      },
    },
    { highWaterMark: 0 },
  );
}

/**
 * The whole body under a Content-Length that is wrong by so many bytes. Where more is announced than comes, the caller meets the
 * end of the connection; where fewer are, it reads half of the JSON and finds the rest where the next answer should be.
 */
export function lie({ env: { outgoing } }: RequestContext, real: RealAnswer, byBytes: number): Response {
  const body = Buffer.from(real.text === '' ? '{}' : real.text);
  const claimed = Math.max(body.length + byBytes, 0);
  outgoing.shouldKeepAlive = byBytes < 0;
  outgoing.writeHead(real.status, { 'content-type': 'application/json', 'content-length': claimed });
  outgoing.end(body);
  return RESPONSE_ALREADY_SENT;
}

// A body of any size that looks like JSON, made while it is read: nothing is kept, and it ends when the caller stops reading.
const ROW =
  '{"uid":"agr-0000000000000000","state":"active","description":"There is always one more of these"},';
const CHUNK_BYTES = 64 * 1024;
const CHUNK = new TextEncoder().encode(ROW.repeat(Math.ceil(CHUNK_BYTES / ROW.length)));
const BEGINNING = new TextEncoder().encode('{"data":[');

/** Exactly that many bytes, as fast as they are taken; it never becomes whole JSON. */
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
