import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anAgreementAnswer } from '../../../support/payments-api/examples.js';
import { startWire, type Wire, type WireLoopback } from '../../../support/payments-api/loopback.js';
import {
  BODY,
  CALLS,
  CHUNKED,
  GOOD,
  GZIPPED,
  LENGTH,
  PACKED,
  chunk,
  expectGood,
  failureOf,
  failuresOn,
  head,
  hostileApi,
  layers,
  sends,
  sendsAndEnds,
  twice,
} from '../../../support/payments-api/hostile-provider.js';

let provider: WireLoopback;
beforeAll(async () => {
  provider = await startWire();
});
afterAll(() => provider.close());

test.each<[string, Wire]>([
  ['a single header of 1 MiB', sends(head(`x: ${'y'.repeat(2 ** 20)}`), `${LENGTH}\r\n${BODY}`)],
  ['small headers of 1 MiB in total', sends(head(), 'x: y\r\n'.repeat(2 ** 18), `${LENGTH}\r\n${BODY}`)],
  ['a body without a head', sendsAndEnds(BODY)],
  ['plain text without a head', sendsAndEnds('needle-in-the-token')],
  ['another protocol', sendsAndEnds('220 mail.example ESMTP\r\n')],
  ['HTTP/2 as text', sendsAndEnds(`HTTP/2 200\r\n\r\n${BODY}`)],
  ['a status that is not a number', sendsAndEnds('HTTP/1.1 abc OK\r\n\r\n')],
  ['status 20000', sendsAndEnds(`HTTP/1.1 20000 Hm\r\n${LENGTH}\r\n${BODY}`)],
  ['a NUL byte in a header', sendsAndEnds(head('x: a\0b'), `${LENGTH}\r\n${BODY}`)],
  ['two different content lengths', sends(head('content-length: 5'), `${LENGTH}\r\n${BODY}`)],
  [
    'a content length with chunked encoding',
    sends(head('content-length: 5', 'transfer-encoding: chunked'), `\r\n${chunk(BODY)}0\r\n\r\n`),
  ],
  ['a negative content length', sends(head('content-length: -5'), `\r\n${BODY}`)],
  ['a content length out of range', sends(head(`content-length: ${'9'.repeat(30)}`), `\r\n${BODY}`)],
  ['an incomplete gzip stream', sendsAndEnds(GZIPPED, PACKED.subarray(0, 40))],
  ['data after a gzip stream', sendsAndEnds(GZIPPED, PACKED, 'and more')],
  ['plain text declared as gzip', sendsAndEnds(GZIPPED, BODY)],
])('%s is malformed', async (_what, wire) => {
  expect(await failuresOn(provider, wire)).toEqual(twice('malformed'));
});

test.each<[string, Wire]>([
  ['an incomplete head', sendsAndEnds('HTTP/1.1 200 OK\r\ncontent-ty')],
  [
    'an unrequested upgrade',
    sends('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n{}'),
  ],
  ['less than the content length', sendsAndEnds(head('content-length: 5000'), `\r\n${BODY}`)],
  ['an invalid chunk size', sends(CHUNKED, `zz\r\n${BODY}\r\n0\r\n\r\n`)],
  ['a chunk size out of range', sends(CHUNKED, `${'f'.repeat(20)}\r\n${BODY}`)],
  ['a chunk longer than its size', sends(CHUNKED, `5\r\n${BODY}\r\n0\r\n\r\n`)],
  ['chunks without a last chunk', sendsAndEnds(CHUNKED, chunk(BODY))],
  ['a closed connection', (socket) => void socket.destroy()],
  ['a reset before the head', (socket) => void socket.resetAndDestroy()],
  [
    'a reset inside the body',
    (socket) =>
      void socket.write(head('content-length: 5000') + `\r\n${BODY}`, () => socket.resetAndDestroy()),
  ],
  [
    'a close inside the body',
    (socket) => void socket.write(head('content-length: 5000') + `\r\n${BODY}`, () => socket.destroy()),
  ],
  [
    'a reset under six layers of gzip',
    (socket) =>
      void socket.write(head(layers(6), 'content-length: 5000') + '\r\nx', () => socket.resetAndDestroy()),
  ],
])('%s is unavailable', async (_what, wire) => {
  expect(await failuresOn(provider, wire)).toEqual(twice('unavailable'));
});

test.each<[string, Wire, string, number]>([
  ['more than the content length', sends(head('content-length: 10'), `\r\n${BODY}`), 'malformed', 200],
  ['two hundred layers of gzip', sendsAndEnds(head(layers(200)), '\r\n', PACKED), 'malformed', 200],
  ['an unknown encoding', sendsAndEnds(head('content-encoding: br'), '\r\n', PACKED), 'malformed', 200],
  ['204 with a body', sends(`HTTP/1.1 204 No Content\r\n${LENGTH}\r\n${BODY}`), 'malformed', 204],
  ['status 000', sends(`HTTP/1.1 000 Hm\r\n${LENGTH}\r\n${BODY}`), 'malformed', 0],
  ['status 099', sends(`HTTP/1.1 099 Hm\r\n${LENGTH}\r\n${BODY}`), 'malformed', 99],
  ['status 600', sends(`HTTP/1.1 600 Hm\r\n${LENGTH}\r\n${BODY}`), 'unavailable', 600],
  ['status 999', sends(`HTTP/1.1 999 Hm\r\n${LENGTH}\r\n${BODY}`), 'unavailable', 999],
  [
    'a proxy authentication challenge',
    sends('HTTP/1.1 407 Proxy\r\ncontent-length: 0\r\n\r\n'),
    'rejected',
    407,
  ],
  [
    'a 421, which invites a retry,',
    sends('HTTP/1.1 421 Misdirected Request\r\ncontent-length: 0\r\n\r\n'),
    'rejected',
    421,
  ],
])('%s is reported with its status', async (_what, wire, code, status) => {
  expect(await failuresOn(provider, wire)).toEqual(twice(code, status));
});

test('bytes after an answer are not used as the next answer', async () => {
  const forged = GOOD.replace('"active"', '"forged"');
  provider.writes(sends(GOOD, forged));
  expect(await CALLS['a write'](hostileApi(provider.url))).toMatchObject({ state: 'active' });
  await expectGood(provider);
});

describe('server that closes connections silently', () => {
  const list = JSON.stringify({ data: [anAgreementAnswer()] });
  const closing = sendsAndEnds(`${head(`content-length: ${list.length}`)}\r\n${list}`);

  let server: WireLoopback;
  beforeAll(async () => {
    server = await startWire();
  });
  afterAll(() => server.close());

  test('answers consecutive reads', async () => {
    const api = hostileApi(server.url);
    server.writes(closing);
    for (let call = 0; call < 20; call += 1) {
      expect(await CALLS['a read'](api)).toMatchObject({ state: 'active' });
    }
  });

  test('is not called again after a malformed answer', async () => {
    const api = hostileApi(server.url);
    server.writes(sends(`${head(`content-length: ${list.length}`)}\r\n${list}`));
    await CALLS['a read'](api);
    server.writes(sendsAndEnds(BODY));
    expect(await failureOf(CALLS['a read'](api))).toMatchObject({ code: 'malformed' });
    expect(server.requests).toHaveLength(1);
  });

  test('receives no request twice', async () => {
    const api = hostileApi(server.url);
    for (let call = 0; call < 20; call += 1) {
      server.writes(closing);
      await CALLS['a read'](api);
      server.writes((socket) => void socket.destroy());
      expect(await failureOf(CALLS['a write'](api))).toMatchObject({ code: 'unavailable' });
      expect(server.requests.length).toBeLessThanOrEqual(1);
    }
  });
});

describe('unusual valid HTTP', () => {
  test.each<[string, Wire]>([
    [
      'an HTTP/1.0 answer that ends with the connection',
      sendsAndEnds(`HTTP/1.0 200 OK\r\ncontent-type: application/json\r\n\r\n${BODY}`),
    ],
    [
      'an HTTP/1.0 answer with keep-alive',
      sends(GOOD.replace('HTTP/1.1', 'HTTP/1.0').replace('\r\n', '\r\nconnection: keep-alive\r\n')),
    ],
    ['an answer after an unrequested 100', sends(`HTTP/1.1 100 Continue\r\n\r\n${GOOD}`)],
    [
      'an answer after early hints',
      sends(`HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n${GOOD}`),
    ],
    ['an answer in single bytes', (socket) => [...GOOD].forEach((byte) => socket.write(byte))],
    ['an answer in many chunks with a trailer', sends(CHUNKED, ...[...BODY].map(chunk), '0\r\nx: y\r\n\r\n')],
    ['an answer in gzip', sendsAndEnds(GZIPPED, PACKED)],
    ['a content encoding in capitals', sendsAndEnds(head('CONTENT-ENCODING: X-GZIP '), '\r\n', PACKED)],
    ['a status line without a reason', sends(GOOD.replace('200 OK', '200'))],
    ['an answer with a byte order mark', sendsAndEnds(head(), `\r\n\uFEFF${BODY}`)],
  ])('accepts %s', async (_what, wire) => {
    await expectGood(provider, wire);
  });
});
