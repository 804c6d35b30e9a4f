// Carries requests out and keeps what was said.
import { createTransport } from '../../payments-api/http/transport.js';
import { readJson } from '../../payments-api/answers/values.js';
import type { Transport } from '../../payments-api/http/transport.js';

export interface Exchange {
  /** `client`: our client built the request. `simulator`: a plain request of this tool. `broken`: spoilt on purpose. */
  from: 'client' | 'simulator' | 'broken';
  method: string;
  path: string;
  query: Record<string, string>;
  /** What is simulated, where the request has to go well. */
  simulation?: string | undefined;
  /** The JSON of the request, or its text where it is no JSON; undefined where it has no body. */
  sent: unknown;
  status: number;
  /** The JSON of the answer, or its text; undefined where it has no body. */
  body: unknown;
}

export type Recorded = (from: Exchange['from'], simulation?: string) => Transport;

/** @param exchanges where each exchange is put, oldest first. */
export function createRecorder(exchanges: Exchange[]): Recorded {
  const carry = createTransport();
  return (from, simulation) => async (address, outgoing) => {
    const incoming = await carry(address, outgoing);
    const bytes = await wholeOf(incoming.body);
    const { pathname: path, searchParams } = new URL(address);
    const { method, body: written } = outgoing;
    const { status } = incoming;
    const query = Object.fromEntries(searchParams);
    const sent = written === undefined ? undefined : jsonOf(Buffer.from(written));
    const body = bytes.length === 0 ? undefined : jsonOf(bytes);
    exchanges.push({ from, simulation, method, path, query, sent, status, body });
    return { ...incoming, body: onlyChunk(bytes) };
  };
}

/** The JSON in it, or its text where it is no JSON. */
export function jsonOf(bytes: Buffer): unknown {
  const read = readJson(bytes);
  return read === undefined ? bytes.toString('utf8') : read.value;
}

async function wholeOf(body: AsyncIterable<Uint8Array> | null): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body ?? []) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function* onlyChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}
