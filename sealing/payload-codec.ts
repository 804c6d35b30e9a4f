// Between us and Temporal: whatever goes there is sealed, and whatever comes from there must be.
// In:  worker/main.ts and api/main.ts give it to their clients and workers (sealing/data-converter.ts).
// Out: sealing/sealed-payload.ts.
import type { PayloadCodec } from '@temporalio/common';
import type { Keyring } from './keyring.js';
import { isSealed, openPayload, sealPayload } from './sealed-payload.js';
import type { Payload } from './sealed-payload.js';

export interface PayloadCodecOptions {
  /** The first key seals; every one opens. */
  keyring: Keyring;
  /** Temporal's namespace: what is sealed for another does not open here. */
  namespace: string;
  /**
   * What to do with payloads that are not sealed. `read` is for the time in which a namespace still holds some of before
   * it was sealed: whoever can write to Temporal can then have anything read. What is written is sealed either way.
   */
  clearPayloads?: 'refuse' | 'read';
}

/**
 * Refuses by rejecting with a SealError, which names what to do and never quotes a payload. The workflow id, which
 * Temporal's library offers as context, is not bound: decision 10 says why.
 */
export function createPayloadCodec({
  keyring,
  namespace,
  clearPayloads = 'refuse',
}: PayloadCodecOptions): PayloadCodec {
  const open = (payload: Payload): Payload =>
    clearPayloads === 'read' && !isSealed(payload) ? payload : openPayload(keyring, payload, namespace);
  return {
    encode: (payloads) => promised(() => payloads.map((payload) => sealPayload(keyring, payload, namespace))),
    decode: (payloads) => promised(() => payloads.map(open)),
  };
}

/** What it throws becomes a rejection. */
const promised = <T>(work: () => T): Promise<T> => new Promise((resolve) => resolve(work()));
