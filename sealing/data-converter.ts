// Between our processes and Temporal: all that goes there is sealed, and all that comes from there must be. Every client,
// every worker and the workflow bundle share it, so that each can read what another wrote.
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DataConverter, PayloadCodec } from '@temporalio/common';
import type { Keyring } from './keyring.js';
import { isSealed, openPayload, sealPayload } from './sealed-payload.js';
import type { Payload } from './sealed-payload.js';

/** What to do with payloads that are not sealed. */
export const CLEAR_PAYLOADS = ['refuse', 'read'] as const;

export interface PayloadCodecOptions {
  /** The first key seals; every one opens. */
  keyring: Keyring;
  /** Temporal's namespace: what is sealed for another does not open here. */
  namespace: string;
  /**
   * `read` is for the time in which a namespace still has some from
   * before it was sealed: anyone who can write to Temporal can then have anything read. What is written is sealed either way.
   */
  clearPayloads?: (typeof CLEAR_PAYLOADS)[number];
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

/** For `bundleWorkflowCode`, which needs it too: .ts where we run from source, .js in what was built. */
export const FAILURE_CONVERTER_PATH = fileURLToPath(
  new URL(`./failure-converter${extname(import.meta.url)}`, import.meta.url),
);

/** Seals everything, the messages and stacks of errors included. */
export const dataConverterFor = (options: PayloadCodecOptions): DataConverter => ({
  payloadCodecs: [createPayloadCodec(options)],
  failureConverterPath: FAILURE_CONVERTER_PATH,
});
