import {
  createTransport,
  type AnswerHeaders,
  type Incoming,
  type Transport,
} from '../../../../payments-api/http/transport.js';
import { isObject, readJson } from '../../../../payments-api/answers/values.js';

export interface Exchange {
  line: string;
  query: Record<string, string>;
  sentHeaders: Record<string, string>;
  sent: unknown;
  status: number;
  headers: AnswerHeaders;
  body: unknown;
}

export interface Interference {
  body?: object;
  headers?: Record<string, string>;
}

export interface Wire {
  transport: Transport;
  exchanges: Exchange[];
  last(): Exchange;
  interfere(interference: Interference): void;
}

export function createWire(): Wire {
  const exchanges: Exchange[] = [];
  let next: Interference | undefined;
  const carry = createTransport();
  return {
    exchanges,
    last: () => {
      const exchange = exchanges.at(-1);
      if (exchange === undefined) throw new Error('expected an exchange; found none');
      return exchange;
    },
    interfere: (interference) => {
      if (next !== undefined) throw new Error('expected a request since the last interference; found none');
      next = interference;
    },
    transport: async (address, outgoing) => {
      const { body: besides, headers: instead } = next ?? {};
      next = undefined;
      const written = jsonOf(Buffer.from(outgoing.body ?? ''));
      const sent = besides === undefined ? written : { ...(isObject(written) ? written : {}), ...besides };
      const sentHeaders = { ...outgoing.headers, ...instead };
      const { status, headers, body } = await carry(address, {
        ...outgoing,
        headers: sentHeaders,
        ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
      });
      const bytes = await wholeOf(body);
      const { pathname, searchParams } = new URL(address);
      exchanges.push({
        line: `${outgoing.method} ${pathname}`,
        query: Object.fromEntries(searchParams),
        sentHeaders,
        sent,
        status,
        headers,
        body: jsonOf(bytes),
      });
      return { status, headers, body: once(bytes) };
    },
  };
}

const jsonOf = (bytes: Uint8Array): unknown => readJson(bytes)?.value;

async function wholeOf(body: Incoming['body']): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body ?? []) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}
