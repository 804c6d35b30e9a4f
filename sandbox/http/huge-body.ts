// A body of any size that looks like JSON, made while it is read: nothing is kept, and nobody reading ends it.
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
