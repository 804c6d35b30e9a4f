// Seals all payloads to Temporal, and requires that all payloads from Temporal are sealed. All clients, all workers and the
// workflow bundle share it, so that each can read what the others wrote.
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DataConverter, PayloadCodec } from '@temporalio/common';
import type { Keyring } from './keyring.js';
import { isSealed, openPayload, sealPayload, type Payload } from './sealed-payload.js';

/** The treatment of payloads that are not sealed. */
export const CLEAR_PAYLOADS = ['refuse', 'read'] as const;

export interface PayloadCodecOptions {
  /** The first key seals; all keys open. */
  keyring: Keyring;
  /** Temporal's namespace. Payloads sealed for another one do not open here. */
  namespace: string;
  /**
   * `read` is for a namespace that still contains payloads from before sealing.
   * Anyone who can write to Temporal can then forge payloads. We seal all written payloads in either case.
   */
  clearPayloads?: (typeof CLEAR_PAYLOADS)[number];
}

/**
 * Rejects with a SealError, which states the remedy and never quotes a payload. The workflow id, which Temporal's library
 * offers as context, is not bound: see decision 10.
 */
export function createPayloadCodec({
  keyring,
  namespace,
  clearPayloads = 'refuse',
}: PayloadCodecOptions): PayloadCodec {
  const open = (payload: Payload): Payload =>
    clearPayloads === 'read' && !isSealed(payload) ? payload : openPayload(keyring, payload, namespace);
  return {
    encode: (payloads, context) =>
      promised(() =>
        payloads.map((payload) => sealPayload(keyring, payload, namespace, context?.workflowId)),
      ),
    decode: (payloads) => promised(() => payloads.map(open)),
  };
}

/** Turns a thrown error into a rejection. */
const promised = <T>(work: () => T): Promise<T> => new Promise((resolve) => resolve(work()));

/** `bundleWorkflowCode` needs it too: .ts when running from source, .js in a build. */
export const FAILURE_CONVERTER_PATH = fileURLToPath(
  new URL(`./failure-converter${extname(import.meta.url)}`, import.meta.url),
);

/** Seals everything, including the messages and stacks of errors. */
export const dataConverterFor = (options: PayloadCodecOptions): DataConverter => ({
  payloadCodecs: [createPayloadCodec(options)],
  failureConverterPath: FAILURE_CONVERTER_PATH,
});
