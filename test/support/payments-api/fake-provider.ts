import { createPaymentsApi, type PaymentsApi } from '../../../payments-api/client.js';
import { NOW } from './examples.js';
import { readJson } from '../../../payments-api/answers/values.js';
import type { Transport } from '../../../payments-api/http/transport.js';

export interface FakeAnswer {
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface FakeRequest {
  method: string;
  path: string;
  headers: Headers;
  body: unknown;
}

export interface FakeProvider {
  api: PaymentsApi;
  requests: FakeRequest[];
}

export function fakeProvider(
  answers: FakeAnswer | readonly FakeAnswer[] = {},
  version = '20260901',
): FakeProvider {
  const queue = [answers].flat();
  const requests: FakeRequest[] = [];
  const doFetch: Transport = async (input, { beforeBytes, ...init }) => {
    await beforeBytes?.();
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    const written = await request.text();
    const body: unknown = written === '' ? undefined : (readJson(Buffer.from(written))?.value ?? written);
    requests.push({ method: request.method, path: `${pathname}${search}`, headers: request.headers, body });
    return responseOf((queue.length > 1 ? queue.shift() : queue[0]) ?? {});
  };
  const options = { baseUrl: 'http://provider.example', versionHeader: 'Service-API-Version' };
  const api = createPaymentsApi({ ...options, version, fetch: doFetch, now: () => new Date(NOW) });
  return { api, requests };
}

function responseOf({ status = 200, body, headers }: FakeAnswer): Response {
  const written = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body);
  return new Response(written, { status, headers: { 'content-type': 'application/json', ...headers } });
}
