import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { ASKING, failureOf, hostileApi } from './hostile-asking.js';
import { anAgreementAnswer } from './examples.js';
import type { Wire, WireLoopback } from './loopback.js';

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

export const says =
  (...bytes: (string | Buffer)[]): Wire =>
  (socket) =>
    bytes.forEach((some) => socket.write(some));
export const saysAndEnds =
  (...bytes: (string | Buffer)[]): Wire =>
  (socket) =>
    socket.end(Buffer.concat(bytes.map((some) => Buffer.from(some))));

export async function failuresOn(provider: WireLoopback, wire: Wire, limitMs?: number) {
  const api = hostileApi(provider.url, limitMs === undefined ? {} : { limitMs });
  const failures = [];
  for (const ask of Object.values(ASKING)) {
    provider.writes(wire);
    const failure = await failureOf(ask(api));
    failures.push({ code: failure.code, status: failure.status, asked: provider.asked.length });
  }
  await expectGood(provider);
  return failures;
}

export async function expectGood(provider: WireLoopback, wire: Wire = says(GOOD)): Promise<void> {
  provider.writes(wire);
  expect(await ASKING['a write'](hostileApi(provider.url))).toMatchObject({ state: 'active' });
}

export const twice = (code: string, status?: number): object[] => [
  { code, status, asked: 1 },
  { code, status, asked: 1 },
];
