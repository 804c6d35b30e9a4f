import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Ajv2020 from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createApp } from '../../api/app.js';
import { RECORDED_UNTIL, KEYS, NOW, WEBHOOK_SECRET, anApi, get, post } from '../support/api/app.js';
import { anAgreement, problemIn, signed } from '../support/api/builders.js';

describe('health', () => {
  test('reports alive during a Temporal outage, and ready only when Temporal answers', async () => {
    const api = anApi();
    api.door.ready.mockRejectedValue(new Error('14 UNAVAILABLE'));
    expect((await api.app.request('/healthz')).status).toBe(200);
    expect(await problemIn(await api.admin.request('/readyz'))).toMatchObject({
      status: 503,
      code: 'temporal_unavailable',
    });
    api.door.ready.mockResolvedValue(undefined);
    expect(await (await api.admin.request('/readyz')).json()).toEqual({
      status: 'ready',
      recorded_until: RECORDED_UNTIL,
      incomplete_since: null,
    });
  });
});

describe('metrics', () => {
  test('label request durations with the route pattern, never with a uid', async () => {
    const api = anApi();
    await get(api, '/v1/agreements/agr-secret');
    await get(api, '/v1/nothing/agr-secret');
    await api.app.request('/nothing/agr-secret');
    const response = await api.admin.request('/metrics');
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const text = await response.text();
    expect(text).toContain(
      'payto_api_request_duration_seconds_count{method="GET",route="/v1/agreements/:uid",status="200"} 1',
    );
    expect(text).toContain('route="unmatched",status="404"} 2');
    expect(text).not.toContain('agr-secret');
  });
});

describe('request logs', () => {
  test('contain one line for each request, with allowed fields only', async () => {
    const api = anApi();
    const sent = { ...anAgreement(), uid: 'a/b' };
    const response = await post(api, '/v1/agreements?wait=0', sent, { 'x-request-id': 'A Payer' });
    const [line, ...more] = api.lines.map((text) =>
      z.record(z.string(), z.unknown()).parse(JSON.parse(text)),
    );
    expect(more).toEqual([]);
    expect(line).toEqual({
      level: 30,
      time: line?.['time'],
      name: 'api',
      event: 'request',
      request_id: response.headers.get('x-request-id'),
      api_key_id: 'id-all',
      principal: KEYS.all,
      method: 'POST',
      route: '/v1/agreements',
      status: 400,
      duration_ms: 0,
      code: 'invalid_request',
      error_class: 'ApiError',
    });
  });

  test('name the provider or nobody as the principal of a request without a key', async () => {
    const api = anApi();
    const body = JSON.stringify({ data: {} });
    const push = (headers: Record<string, string>) =>
      api.app.request('/webhooks', { method: 'POST', body, headers });
    await push(signed(body, WEBHOOK_SECRET, NOW));
    await push(signed(body, 'another', NOW));
    await api.app.request('/healthz');
    const principals = api.lines
      .filter((line) => line.includes('"event":"request"'))
      .map((line) => z.object({ principal: z.string() }).parse(JSON.parse(line)));
    expect(principals.map(({ principal }) => principal)).toEqual(['provider', 'anonymous', 'anonymous']);
  });

  test('contain no request body, API key or uid', async () => {
    const api = anApi();
    await post(api, '/v1/agreements', anAgreement());
    await get(api, '/v1/agreements/agr-1');
    const written = api.lines.join('').replaceAll(`"principal":"${KEYS.all}"`, '');
    expect(written).not.toMatch(/agr-1|A Payer|12340001|key-all/);
  });
});

const Document = z.object({
  openapi: z.string(),
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({ responses: z.record(z.string(), z.unknown()), security: z.unknown().optional() }),
    ),
  ),
  components: z.object({
    schemas: z.record(z.string(), z.unknown()),
    securitySchemes: z.record(z.string(), z.unknown()),
  }),
});

const Parameter = z.object({ name: z.string(), required: z.boolean().optional() });
const ParameterOrReference = z.union([Parameter, z.object({ $ref: z.string() })]);
const Keyed = z.object({
  paths: z.record(
    z.string(),
    z.object({ post: z.object({ parameters: z.array(ParameterOrReference).default([]) }).optional() }),
  ),
  components: z.object({ parameters: z.record(z.string(), Parameter) }),
});

describe('OpenAPI document', () => {
  test('is served as published in client/', async () => {
    const published = await readFile(new URL('../../client/openapi.json', import.meta.url), 'utf8');
    const json: unknown = await (await anApi().app.request('/openapi.json')).json();
    expect(Document.parse(json).openapi).toBe('3.1.0');
    expect(json, 'npm run generate:client').toEqual(JSON.parse(published));
  });

  test('declares the API key and the error responses of every route for callers', async () => {
    const { paths, components } = Document.parse(await (await anApi().app.request('/openapi.json')).json());
    expect(components.securitySchemes).toMatchObject({ apiKey: { type: 'http', scheme: 'bearer' } });
    for (const [path, methods] of Object.entries(paths).filter(([name]) => name.startsWith('/v1/'))) {
      for (const { responses, security } of Object.values(methods)) {
        expect(security, path).toEqual([{ apiKey: [] }]);
        expect(Object.keys(responses), path).toEqual(expect.arrayContaining(['400', '401', '403', '503']));
      }
    }
  });

  test('requires Idempotency-Key on exactly the routes that refuse a request without it', async () => {
    const api = anApi();
    const { paths, components } = Keyed.parse(await (await api.app.request('/openapi.json')).json());
    for (const [path, { post: posted }] of Object.entries(paths)) {
      if (!path.startsWith('/v1/') || posted === undefined) continue;
      const isRequired = posted.parameters.some((stated) => {
        const { name, required } =
          '$ref' in stated ? (components.parameters[basename(stated.$ref)] ?? {}) : stated;
        return name === 'Idempotency-Key' && required;
      });
      const url = path.replaceAll(/\{(\w+)\}/g, (_, name) => (name === 'code' ? 'overdue' : 'acme'));
      const answer = z.object({ code: z.string().optional() });
      const { code } = answer.parse(await (await post(api, url, { id: 'acme', uid: 'pay-1' })).json());
      expect(code === 'idempotency_key_required', path).toBe(isRequired);
    }
  });

  test('contains valid JSON schemas that match real requests and responses', async () => {
    const { components } = Document.parse(await (await anApi().app.request('/openapi.json')).json());
    const ajv = new Ajv2020.default({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: 'doc', components });
    const check = (name: string, value: unknown) => {
      const fits = ajv.validate({ $ref: `doc#/components/schemas/${name}` }, value);
      expect(ajv.errors ?? [], name).toEqual([]);
      return fits;
    };
    check('CreateAgreement', anAgreement());
    check('AgreementAnswer', await (await post(anApi(), '/v1/agreements', anAgreement())).json());
    check('PaymentAnswer', await (await get(anApi(), '/v1/payments/pay-1')).json());
    check('ConnectionAnswer', await (await get(anApi(), '/v1/connections/acme')).json());
    check('Problem', await (await get(anApi(), '/v1/agreements?per_page=0')).json());
    expect(
      ajv.validate({ $ref: 'doc#/components/schemas/CreateAgreement' }, { ...anAgreement(), abn: '1' }),
    ).toBe(false);
  });
});

describe('/openapi.json', () => {
  test('is made once, compressed, and not sent again to a caller who has it', async () => {
    const { app } = anApi();
    const ask = (headers: Record<string, string>) => app.request('/openapi.json', { headers });
    const plain = await ask({});
    const zipped = await ask({ 'accept-encoding': 'br;q=0.5, gzip' });
    expect(zipped.headers.get('content-encoding')).toBe('gzip');
    const bytes = new Uint8Array(await zipped.arrayBuffer());
    expect(gunzipSync(bytes).toString()).toBe(await plain.text());
    for (const { headers } of [plain, zipped]) {
      expect(headers.get('vary')).toBe('accept-encoding');
      const again = await ask({
        'if-none-match': headers.get('etag') ?? '',
        'accept-encoding': headers.get('content-encoding') ?? 'identity',
      });
      expect([again.status, await again.text()]).toEqual([304, '']);
    }
    const fromMs = performance.now();
    for (let count = 0; count < 50; count += 1) await ask({ 'accept-encoding': 'gzip' });
    expect(performance.now() - fromMs).toBeLessThan(500);
  });

  test('and /docs are not served with DOCS=off', async () => {
    const { dependencies } = anApi();
    const app = createApp({ ...dependencies, hasDocs: false });
    for (const path of ['/openapi.json', '/docs', '/docs/viewer.js', '/docs/payments.md', '/llms.txt'])
      expect((await app.request(path)).status, path).toBe(404);
    expect((await app.request('/healthz')).status).toBe(200);
  });
});

test('the public port serves nothing of the admin port', async () => {
  const { app, admin } = anApi();
  for (const path of ['/metrics', '/readyz', '/codec/login']) {
    expect((await admin.request(path)).status, path).toBe(200);
    expect((await app.request(path)).status, path).toBe(404);
  }
  expect((await admin.request('/v1/agreements')).status).toBe(404);
});

describe('/docs', () => {
  test('loads no assets from other origins', async () => {
    const { app } = anApi();
    const response = await app.request('/docs');
    const page = await response.text();
    expect(response.headers.get('content-security-policy')).toContain("default-src 'self'");
    expect(page).not.toMatch(/https?:|\/\//);
    const assets = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path ?? '');
    const files = assets.filter((path) => !path.startsWith('data:'));
    expect(files).toEqual(['/docs/viewer.js']);
    for (const path of files) {
      const asset = await app.request(path);
      expect(asset.status, path).toBe(200);
      expect((await asset.arrayBuffer()).byteLength, path).toBeGreaterThan(50);
    }
  });

  test('serves no other files', async () => {
    const { app } = anApi();
    for (const path of ['/docs/package.json', '/docs/index.html', '/docs/..%2fpackage.json']) {
      expect((await app.request(path)).status, path).toBe(404);
    }
  });
});
