import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { parseKeyring } from '../../../../sealing/keyring.js';
import { sealPayload, type Payload } from '../../../../sealing/sealed-payload.js';
import { payloadOf } from '../../../support/sealing/payloads.js';
import { KEYS, UI_ORIGINS, anApi, type Api } from '../../../support/api/app.js';
import { problemIn } from '../../../support/api/builders.js';

const refusing = anApi();

const PATH = '/codec/decode';
const [UI] = UI_ORIGINS;
const GOOD = {
  authorization: `Bearer ${KEYS.decode}`,
  'content-type': 'application/json',
  'x-namespace': 'default',
};

const decode = async ({ admin }: Api, body: unknown, headers: Record<string, string | undefined> = {}) => {
  const all = Object.entries({ ...GOOD, ...headers }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] satisfies [string, string]],
  );
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return admin.request(PATH, { method: 'POST', headers: Object.fromEntries(all), body: text });
};

const base64 = (bytes: Uint8Array | null | undefined): string => Buffer.from(bytes ?? []).toString('base64');
const wire = ({ metadata, data }: Payload) => ({
  metadata: Object.fromEntries(Object.entries(metadata ?? {}).map(([name, value]) => [name, base64(value)])),
  data: base64(data),
});
const sealedBy = (keyring: Api['keyring'], value: unknown, namespace = 'default') =>
  wire(sealPayload(keyring, payloadOf(value), namespace));
const foreignRing = parseKeyring(`k9:${Buffer.alloc(32, 9).toString('base64')}`);

const Reply = z.strictObject({
  payloads: z.array(z.strictObject({ metadata: z.record(z.string(), z.string()), data: z.string() })),
});
async function shownIn(response: Response): Promise<unknown[]> {
  expect(response.status).toBe(200);
  return Reply.parse(await response.json()).payloads.map(({ metadata, data }) => {
    expect(metadata).toEqual({ encoding: base64(Buffer.from('json/plain')) });
    return JSON.parse(Buffer.from(data, 'base64').toString('utf8')) as unknown;
  });
}

describe('decoded payloads', () => {
  test('are returned unchanged if unencrypted, including unknown fields', async () => {
    const payloads = [
      { ...wire(payloadOf('clear')), externalPayloads: [{ sizeBytes: '7' }] },
      { metadata: {} },
      { data: 'IngiCg==' },
      {},
    ];
    expect(await (await decode(anApi(), { payloads })).json()).toEqual({ payloads });
  });

  test('contain a reason for each payload that cannot be opened, beside the opened ones', async () => {
    const api = anApi();
    const changed = sealedBy(api.keyring, 'changed');
    const bytes = Buffer.from(changed.data, 'base64');
    bytes.writeUInt8(bytes.readUInt8(20) ^ 1, 20);
    const encoding = base64(Buffer.from('binary/encrypted'));
    const shown = await shownIn(
      await decode(api, {
        payloads: [
          sealedBy(api.keyring, 'first'),
          sealedBy(foreignRing, 'PLANTED'),
          { ...changed, data: bytes.toString('base64') },
          sealedBy(api.keyring, 'elsewhere', 'other'),
          { metadata: { encoding }, data: 'AAAA' },
          wire(payloadOf('clear')),
          sealedBy(api.keyring, 'last'),
        ],
      }),
    );
    const why = (code: string, words: RegExp) => ({ code, message: expect.stringMatching(words) as string });
    expect(shown).toEqual([
      'first',
      why('unknown_key', /cannot be opened: no key named k9/),
      why('not_authentic', /cannot be opened: .*was changed/),
      why('not_authentic', /belongs elsewhere/),
      why('malformed', /cannot be opened: expected/),
      'clear',
      'last',
    ]);
  });

  test('may each have the maximum size of a Temporal payload', async () => {
    const api = anApi();
    const whole = 'x'.repeat(2 * 1024 * 1024 - 1000);
    const payloads = [sealedBy(api.keyring, whole), sealedBy(api.keyring, whole)];
    expect(await shownIn(await decode(api, { payloads }))).toEqual([whole, whole]);
  });

  test.each([{}, { payloads: [] }])('are an empty list for the request %j', async (body) => {
    expect(await (await decode(anApi(), body)).json()).toEqual({ payloads: [] });
  });

  test('are returned or refused, without a 500, for any generated request', async () => {
    const api = anApi();
    const text = fc.oneof(fc.constant('binary/encrypted'), fc.constant('k1'), fc.constant('1'), fc.string());
    const field = fc.oneof(
      text.map((said) => base64(Buffer.from(said))),
      fc.string(),
      fc.jsonValue({ maxDepth: 1 }),
    );
    const names = fc.constantFrom('encoding', 'encryption-key-id', 'encryption-version', '__proto__', 'type');
    const payload = fc.oneof(
      fc.record({ metadata: fc.dictionary(names, field), data: field }, { requiredKeys: [] }),
      fc.jsonValue({ maxDepth: 2 }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.json(),
          fc.array(payload, { maxLength: 3 }).map((payloads) => JSON.stringify({ payloads })),
        ),
        async (body) => {
          expect([200, 400]).toContain((await decode(api, body)).status);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('use of the codec', () => {
  test('is logged with the key and number of payloads, without content', async () => {
    const api = anApi();
    const payloads = [
      sealedBy(api.keyring, 'PLANTED'),
      sealedBy(foreignRing, 'PLANTED'),
      wire(payloadOf('PLANTED')),
    ];
    const { headers } = await decode(api, { payloads });
    const [line] = api.lines.map((text) => z.record(z.string(), z.unknown()).parse(JSON.parse(text)));
    expect(line).toEqual({
      level: 40,
      time: line?.['time'],
      name: 'api',
      event: 'payloads decoded',
      request_id: headers.get('x-request-id'),
      api_key_id: 'id-decode',
      principal: KEYS.decode,
      payloads: 3,
      unopened: 1,
    });
    const written = api.lines.join('');
    expect(
      ['PLANTED', ...payloads.map(({ data }) => data)].filter((content) => written.includes(content)),
    ).toEqual([]);
  });

  test('returns a response that must not be cached', async () => {
    const response = await decode(anApi(), { payloads: [] });
    expect(response.headers.get('cache-control')).toBe('no-store');
  });
});

describe('refused codec request', () => {
  test.each([
    ['with an unknown key', { authorization: 'Bearer wrong' }, 401, 'unauthenticated'],
    ['without a namespace', { 'x-namespace': undefined }, 400, 'invalid_request'],
    ['for another namespace', { 'x-namespace': 'other' }, 403, 'namespace_not_served'],
    ['for two namespaces', { 'x-namespace': 'default, other' }, 403, 'namespace_not_served'],
    ['with a content type other than JSON', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
    ['without a content type', { 'content-type': '' }, 415, 'unsupported_media_type'],
  ])('%s gets a problem', async (_what, headers, status, code) => {
    expect(await problemIn(await decode(refusing, { payloads: [] }, headers))).toMatchObject({
      status,
      code,
    });
  });

  test.each([
    ['that is not JSON', '{"payloads":', 'malformed_json', []],
    ['that is not an object', '[]', 'invalid_request', ['']],
    ['with payloads that are not a list', '{"payloads":{}}', 'invalid_request', ['/payloads']],
    ['with data that is not base64', '{"payloads":[{"data":"?"}]}', 'invalid_request', ['/payloads/0/data']],
    [
      'with metadata that is not base64',
      '{"payloads":[{"metadata":{"encoding":"json/plain!"}}]}',
      'invalid_request',
      ['/payloads/0/metadata/encoding'],
    ],
    [
      'with too many payloads',
      JSON.stringify({ payloads: Array.from({ length: 10_001 }, () => ({})) }),
      'invalid_request',
      ['/payloads'],
    ],
  ])('with a body %s gets a problem with a pointer', async (_what, body, code, pointers) => {
    const problem = await problemIn(await decode(refusing, body));
    expect(problem).toMatchObject({ status: 400, code, pointers });
  });

  test('with a body over 8 MiB gets a problem, with or without Content-Length', async () => {
    const huge = JSON.stringify({ payloads: [{ data: 'A'.repeat(8 * 1024 * 1024) }] });
    expect(await problemIn(await decode(anApi(), huge))).toMatchObject({ status: 413 });
    const announced = await decode(anApi(), '{}', { 'content-length': '9000000' });
    expect(await problemIn(announced)).toMatchObject({ status: 413, code: 'body_too_large' });
  });

  test('without a key gets a problem before its body is read', async () => {
    const response = await decode(refusing, 'no JSON', { authorization: undefined, 'content-length': '9e9' });
    expect(response.status).toBe(401);
  });

  test('to encode payloads gets a 404, because the route does not exist', async () => {
    const response = await anApi().admin.request('/codec/encode', {
      method: 'POST',
      headers: GOOD,
      body: '{}',
    });
    expect(await problemIn(response)).toMatchObject({ status: 404 });
    expect((await anApi().admin.request(PATH)).status).toBe(405);
  });
});

describe('web page that calls the codec', () => {
  const preflight = async (origin: string) =>
    anApi().admin.request(PATH, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-namespace',
      },
    });

  test.each(UI_ORIGINS)('is allowed with the cookie if it is Temporal’s UI at %s', async (origin) => {
    const asked = await preflight(origin);
    expect(asked.status).toBe(204);
    expect(Object.fromEntries(asked.headers)).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': expect.stringMatching(
        /authorization.*content-type.*x-namespace/i,
      ) as string,
    });
    expect(asked.headers.get('vary')).toMatch(/Origin/);
    const answered = await decode(anApi(), { payloads: [] }, { origin });
    expect(answered.status).toBe(200);
    expect(answered.headers.get('access-control-allow-origin')).toBe(origin);
  });

  test('can read the reason for a refusal', async () => {
    for (const headers of [
      { authorization: undefined },
      { 'x-namespace': 'other' },
      { 'content-type': '' },
    ]) {
      const response = await decode(anApi(), {}, { origin: UI, ...headers });
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(response.headers.get('access-control-allow-origin')).toBe(UI);
      expect(response.headers.get('access-control-allow-credentials')).toBe('true');
    }
  });

  test.each([
    'https://evil.test',
    'null',
    '*',
    `${UI}.evil.test`,
    `${UI}1`,
    `${UI}/`,
    UI.replace('http', 'https'),
    UI.toUpperCase(),
    'http://127.0.0.1',
  ])('is refused for the origin %s', async (origin) => {
    const api = anApi();
    const refusals = [
      await preflight(origin),
      await decode(api, { payloads: [sealedBy(api.keyring, 'PLANTED')] }, { origin }),
    ];
    for (const response of refusals) {
      expect(response.headers.get('access-control-allow-origin')).toBe(null);
      expect(await problemIn(response)).toMatchObject({ status: 403, code: 'origin_not_allowed' });
    }
    expect(api.lines.join('')).not.toContain('payloads decoded');
  });

  const ownPage = (origin: string, settings: { isSecure: boolean }) =>
    decode(
      anApi({ codec: { namespace: 'default', origins: [] }, ...settings }),
      { payloads: [] },
      { origin, host: 'api.test' },
    );

  test.each([true, false])(
    'is allowed if it is our own, with the scheme of our address (secure: %s)',
    async (isSecure) => {
      const [ours, other] = isSecure ? ['https', 'http'] : ['http', 'https'];
      expect((await ownPage(`${ours}://api.test`, { isSecure })).status).toBe(200);
      expect(await problemIn(await ownPage(`${other}://api.test`, { isSecure }))).toMatchObject({
        code: 'origin_not_allowed',
      });
    },
  );
});
