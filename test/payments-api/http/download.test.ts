import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { createDownload } from '../../../payments-api/http/download.js';
import { thrownBy } from '../../support/payments-api/loopback.js';
import type { Outgoing } from '../../../payments-api/http/transport.js';

function downloading(status: number, body: Uint8Array, baseUrl = 'https://api.example') {
  const sent: Outgoing[] = [];
  const transport = (_url: string, outgoing: Outgoing) => {
    sent.push(outgoing);
    return Promise.resolve({ status, headers: new Headers(), body: Readable.from([body]) });
  };
  const options = { baseUrl, version: '20260901', versionHeader: 'v', fetch: transport };
  return { sent, download: createDownload('report', options) };
}

test('a download sends no token and no version', async () => {
  const { sent, download } = downloading(200, Buffer.from('uid\r\n'));
  const { bytes, checksum } = await download('https://reports.example/a?signature=s');
  expect(Buffer.from(bytes).toString()).toBe('uid\r\n');
  expect(checksum).toBe(createHash('sha256').update('uid\r\n').digest('hex'));
  expect(sent).toMatchObject([{ method: 'GET', redirect: 'manual' }]);
  expect(sent[0]?.headers).toEqual({});
});

test.each(['http://reports.example/a', 'https://a:b@reports.example/a', 'file:///a', 'a'])(
  'a download from %s is refused',
  async (url) => {
    const { sent, download } = downloading(200, Buffer.from(''));
    expect(await thrownBy(() => download(url))).toMatchObject({ code: 'rejected' });
    expect(sent).toEqual([]);
  },
);

test('http is allowed if the base URL uses http', async () => {
  const { download } = downloading(200, Buffer.from('a'), 'http://127.0.0.1:1');
  expect(await download('http://127.0.0.1:1/a')).toMatchObject({ isTooLarge: false });
});

test.each([
  [302, 'malformed'],
  [401, 'rejected'],
  [403, 'rejected'],
  [503, 'unavailable'],
])('status %i is reported as %s', async (status, code) => {
  const { download } = downloading(status, Buffer.from('secret'));
  expect(await thrownBy(() => download('https://reports.example/a'))).toMatchObject({ code, status });
});

test('a large report is hashed and not kept, and the rest of a huge one is not read', async () => {
  const { download } = downloading(200, Buffer.from('abc'));
  expect(await download('https://reports.example/a', { maxBytes: 2 })).toEqual({
    ...{ bytes: Buffer.alloc(0), isTooLarge: true },
    checksum: createHash('sha256').update('abc').digest('hex'),
  });
  const error = await thrownBy(() => download('https://reports.example/a', { mostRead: 2 }));
  expect(error).toMatchObject({ code: 'malformed' });
});
