import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import type { Wire, WireLoopback } from './loopback.js';

import { inspect } from 'node:util';
import { createPaymentsApi, type PaymentsApi } from '../../../payments-api/client.js';
import { PaymentsApiError } from '../../../payments-api/errors.js';
import { NOW, anAgreementAnswer, anAgreementRequest } from './examples.js';
import type { HttpOptions } from '../../../payments-api/http/send.js';

const CALL = { accessToken: 'needle-in-the-token' };

export const hostileApi = (baseUrl: string, options: Partial<HttpOptions> = {}): PaymentsApi =>
  createPaymentsApi({
    baseUrl,
    version: '20260901',
    versionHeader: 'Service-API-Version',
    now: () => new Date(NOW),
    ...options,
  });

const NEEDLE = /needle|6e 65 65 64 6c 65/;

export const CALLS: Readonly<Record<'a read' | 'a write', (api: PaymentsApi) => Promise<unknown>>> = {
  'a read': async (api) => {
    for await (const agreement of api.listAgreements({ state: ['needle-in-the-query'] }, CALL))
      return agreement;
    return undefined;
  },
  'a write': (api) =>
    api.createAgreement({ ...anAgreementRequest(), description: 'needle-in-the-body' }, CALL),
};

export function textOf(error: unknown): string {
  const whole = inspect(error, { depth: 20, showHidden: true, getters: true });
  return `${String(error)} ${JSON.stringify(error)} ${whole}`;
}

export async function failureOf(work: Promise<unknown>): Promise<PaymentsApiError> {
  const error: unknown = await work.then(
    (answer) => new Error(`expected a failure; got ${inspect(answer)}`),
    (reason: unknown) => reason,
  );
  if (!(error instanceof PaymentsApiError)) throw error;
  if (NEEDLE.test(textOf(error))) throw new Error('expected an error without secrets; it contains one');
  return error;
}

export const BODY = JSON.stringify({ data: anAgreementAnswer() });
export const LENGTH = `content-length: ${Buffer.byteLength(BODY)}\r\n`;
export const head = (...lines: string[]): string =>
  ['HTTP/1.1 200 OK', 'content-type: application/json', ...lines].join('\r\n') + '\r\n';
export const GOOD = `${head()}${LENGTH}\r\n${BODY}`;
export const CHUNKED = head('transfer-encoding: chunked') + '\r\n';
export const GZIPPED = head('content-encoding: gzip') + '\r\n';
export const PACKED = gzipSync(BODY);
export const layers = (count: number): string => `content-encoding: ${Array(count).fill('gzip').join(', ')}`;
export const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

export const sends =
  (...bytes: (string | Buffer)[]): Wire =>
  (socket) =>
    bytes.forEach((some) => socket.write(some));
export const sendsAndEnds =
  (...bytes: (string | Buffer)[]): Wire =>
  (socket) =>
    socket.end(Buffer.concat(bytes.map((some) => Buffer.from(some))));

export async function failuresOn(provider: WireLoopback, wire: Wire, limitMs?: number) {
  const api = hostileApi(provider.url, limitMs === undefined ? {} : { limitMs });
  const failures = [];
  for (const ask of Object.values(CALLS)) {
    provider.writes(wire);
    const failure = await failureOf(ask(api));
    failures.push({ code: failure.code, status: failure.status, requests: provider.requests.length });
  }
  await expectGood(provider);
  return failures;
}

export async function expectGood(provider: WireLoopback, wire: Wire = sends(GOOD)): Promise<void> {
  provider.writes(wire);
  expect(await CALLS['a write'](hostileApi(provider.url))).toMatchObject({ state: 'active' });
}

export const twice = (code: string, status?: number): object[] => [
  { code, status, requests: 1 },
  { code, status, requests: 1 },
];
