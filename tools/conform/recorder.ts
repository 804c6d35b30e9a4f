// Sends requests and records the exchanges.
import { createTransport, type AnswerHeaders, type Transport } from '../../payments-api/http/transport.js';
import { readJson } from '../../payments-api/answers/values.js';

export interface Exchange {
  /** `client`: our client built the request. `simulator`: a plain request of this tool. `broken`: intentionally broken. */
  from: 'client' | 'simulator' | 'broken';
  method: string;
  path: string;
  query: Record<string, string>;
  /** The simulation, if the request must succeed. */
  simulation?: string | undefined;
  sentHeaders: Record<string, string>;
  /** The JSON of the request, or its text if it is not JSON; undefined without a body. */
  sent: unknown;
  status: number;
  headers: AnswerHeaders;
  /** The JSON of the answer, or its text; undefined without a body. */
  body: unknown;
}

export type Recorded = (from: Exchange['from'], simulation?: string) => Transport;

/** @param exchanges receives each exchange, oldest first. */
export function createRecorder(exchanges: Exchange[], carry: Transport = createTransport()): Recorded {
  return (from, simulation) => async (address, outgoing) => {
    const incoming = await carry(address, outgoing);
    const bytes = await wholeOf(incoming.body);
    const { pathname: path, searchParams } = new URL(address);
    const { method, body: written, headers: sentHeaders } = outgoing;
    const { status, headers } = incoming;
    const query = Object.fromEntries(searchParams);
    const sent = written === undefined ? undefined : jsonOf(Buffer.from(written));
    const body = bytes.length === 0 ? undefined : jsonOf(bytes);
    exchanges.push({ from, simulation, method, path, query, sentHeaders, sent, status, headers, body });
    return { ...incoming, body: onlyChunk(bytes) };
  };
}

/** The JSON in the bytes, or their text if they are not JSON. */
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
