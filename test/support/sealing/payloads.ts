import { SealError, parseKeyring } from '../../../sealing/keyring.js';
import { createPayloadCodec, type PayloadCodecOptions } from '../../../sealing/data-converter.js';
import type { Payload } from '../../../sealing/sealed-payload.js';

export const keyringOf = (...ids: readonly string[]) =>
  parseKeyring(ids.map((id) => `${id}:${Buffer.alloc(32, id).toString('base64')}`).join(','));

export const codecOf = (options: Partial<PayloadCodecOptions> = {}) =>
  createPayloadCodec({ keyring: keyringOf('k1'), namespace: 'default', ...options });

export const payloadOf = (value: unknown): Payload => ({
  metadata: { encoding: Buffer.from('json/plain') },
  data: Buffer.from(JSON.stringify(value)),
});

export const shown = ({ metadata, data }: Payload) => ({
  metadata: Object.fromEntries(
    Object.entries(metadata ?? {}).map(([name, bytes]) => [name, Buffer.from(bytes).toString('latin1')]),
  ),
  data: Buffer.from(data ?? []).toString('latin1'),
});

export async function refusalOf(work: Promise<unknown>): Promise<SealError | undefined> {
  try {
    await work;
  } catch (error) {
    if (error instanceof SealError) return error;
    throw error;
  }
  return undefined;
}
