// What every client, every worker and the workflow bundle must share, so that each can read what another wrote.
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DataConverter } from '@temporalio/common';
import { createPayloadCodec } from './payload-codec.js';
import type { PayloadCodecOptions } from './payload-codec.js';

/** For `bundleWorkflowCode`, which needs it too: .ts where we run from source, .js in what was built. */
export const FAILURE_CONVERTER_PATH = fileURLToPath(
  new URL(`./failure-converter${extname(import.meta.url)}`, import.meta.url),
);

/** Seals everything, the messages and stacks of errors included. */
export const dataConverterFor = (options: PayloadCodecOptions): DataConverter => ({
  payloadCodecs: [createPayloadCodec(options)],
  failureConverterPath: FAILURE_CONVERTER_PATH,
});
