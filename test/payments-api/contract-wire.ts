// The wire between the client and the sandbox: it keeps every exchange as it went over, and can change one request on
// its way, for what the provider knows and our client never says.
import { readJson } from '../../payments-api/json.js';

/** One call and its answer. */
export interface Exchange {
  /** `POST /payto/agreements`, without the query. */
  line: string;
  query: Record<string, string>;
  sentHeaders: Headers;
  /** The JSON of the request; undefined where it has no body. */
  sent: unknown;
  status: number;
  headers: Headers;
  /** The JSON of the answer; undefined where it has no body, or none that is JSON. */
  body: unknown;
}

/** What the next request says in place of, or besides, what the client wrote. */
export interface Interference {
  body?: object;
  headers?: Record<string, string>;
}

export interface Wire {
  fetch: typeof fetch;
  /** Oldest first. */
  exchanges: Exchange[];
  last(): Exchange;
  /** The next request alone. */
  interfere(interference: Interference): void;
}

export function createWire(): Wire {
  const exchanges: Exchange[] = [];
  const interferences: Interference[] = [];
  return {
    exchanges,
    last: () => {
      const exchange = exchanges.at(-1);
      if (exchange === undefined) throw new Error('expected an exchange; met none');
      return exchange;
    },
    interfere: (interference) => void interferences.push(interference),
    fetch: async (input, init) => {
      const request = await changed(new Request(input, init), interferences.shift() ?? {});
      const sent = jsonOf(await request.clone().arrayBuffer());
      const response = await fetch(request);
      const { pathname, searchParams } = new URL(request.url);
      exchanges.push({
        line: `${request.method} ${pathname}`,
        query: Object.fromEntries(searchParams),
        sentHeaders: request.headers,
        sent,
        status: response.status,
        headers: response.headers,
        body: jsonOf(await response.clone().arrayBuffer()),
      });
      return response;
    },
  };
}

const jsonOf = (bytes: ArrayBuffer): unknown => readJson(new Uint8Array(bytes))?.value;

async function changed(request: Request, { body, headers }: Interference): Promise<Request> {
  if (body === undefined && headers === undefined) return request;
  const written = jsonOf(await request.clone().arrayBuffer());
  const said = body === undefined || !isObject(written) ? written : { ...written, ...body };
  const changedHeaders = new Headers(request.headers);
  for (const [name, value] of Object.entries(headers ?? {})) changedHeaders.set(name, value);
  return new Request(request, {
    headers: changedHeaders,
    ...(said === undefined ? {} : { body: JSON.stringify(said) }),
  });
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
