import { SealError, parseKeyring } from '../../../sealing/keyring.js';
import { createPayloadCodec } from '../../../sealing/data-converter.js';
import type { PayloadCodecOptions } from '../../../sealing/data-converter.js';
import type { Payload } from '../../../sealing/sealed-payload.js';

/** A ring of keys that are their own names: the same name is the same key in every test. */
export const keyringOf = (...ids: readonly string[]) =>
  parseKeyring(ids.map((id) => `${id}:${Buffer.alloc(32, id).toString('base64')}`).join(','));

export const codecOf = (options: Partial<PayloadCodecOptions> = {}) =>
  createPayloadCodec({ keyring: keyringOf('k1'), namespace: 'default', ...options });

/** As the default converter makes one. */
export const payloadOf = (value: unknown): Payload => ({
  metadata: { encoding: Buffer.from('json/plain') },
  data: Buffer.from(JSON.stringify(value)),
});

/** A payload for people, and for comparing. */
export const shown = ({ metadata, data }: Payload) => ({
  metadata: Object.fromEntries(
    Object.entries(metadata ?? {}).map(([name, bytes]) => [name, Buffer.from(bytes).toString('latin1')]),
  ),
  data: Buffer.from(data ?? []).toString('latin1'),
});

/** How this was refused; any other error is a test's failure. */
export async function refusalOf(work: Promise<unknown>): Promise<SealError | undefined> {
  try {
    await work;
  } catch (error) {
    if (error instanceof SealError) return error;
    throw error;
  }
  return undefined;
}
