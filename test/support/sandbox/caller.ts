import { z } from 'zod';
import { REVOCABLE_SCOPES } from '../../../sandbox/http/scopes.js';

export const ALL_SCOPES = REVOCABLE_SCOPES.join(' ');
const REDIRECT_URI = 'http://127.0.0.1:8080/oauth/callback';
const CLIENT = { client_id: 'sandbox-client', client_secret: 'sandbox-client-secret' };

const Data = z.looseObject({
  uid: z.string().optional(),
  id: z.string().optional(),
  state: z.string().optional(),
});
const ErrorItem = z.object({
  code: z.string().optional(),
  title: z.string(),
  detail: z.string(),
  meta: z.object({ resource_uid: z.string().optional(), resource_ref: z.string().optional() }).optional(),
  retryable: z.boolean().optional(),
});
const Body = z.looseObject({
  data: z.union([Data, z.array(Data)]).optional(),
  links: z.object({ next: z.string().optional() }).optional(),
  errors: z.union([z.array(ErrorItem), z.string()]).optional(),
});
const TokenBody = z.object({
  access_token: z.string().optional(),
  refresh_token: z.string().optional(),
  token_type: z.string().optional(),
  expires_in: z.number().optional(),
  scope: z.string().optional(),
  error: z.string().optional(),
});

export interface Answer {
  status: number;
  headers: Headers;
  data: z.output<typeof Data>;
  list: z.output<typeof Data>[];
  links: { next?: string | undefined };
  errors: z.output<typeof ErrorItem>[];
  sentence: string;
}

async function answerFrom(response: Response): Promise<Answer> {
  const text = await response.text();
  const body = Body.parse(text === '' ? {} : JSON.parse(text));
  const { status, headers } = response;
  const list = Array.isArray(body.data) ? body.data : [];
  const data = Array.isArray(body.data) ? {} : (body.data ?? {});
  const { errors = [], links = {} } = body;
  const [listed, sentence] = typeof errors === 'string' ? [[], errors] : [errors, ''];
  return { status, headers, data, list, links, errors: listed, sentence };
}

export type Fields = Record<string, string>;

export function form(fields: Fields): RequestInit {
  return { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' };
}

export function consentFields(overrides: Fields = {}): Fields {
  return {
    response_type: 'code',
    client_id: CLIENT.client_id,
    redirect_uri: REDIRECT_URI,
    scope: ALL_SCOPES,
    state: 'xyz',
    ...overrides,
  };
}

export async function decide(url: string, decision: string, overrides: Fields = {}): Promise<URL> {
  const response = await fetch(`${url}/oauth/authorize`, form({ ...consentFields(overrides), decision }));
  return new URL(response.headers.get('location') ?? `about:status-${response.status}`);
}

export async function codeFor(url: string, scope = ALL_SCOPES): Promise<string> {
  return (await decide(url, 'allow', { scope })).searchParams.get('code') ?? '';
}

export async function requestToken(url: string, fields: Fields) {
  const response = await fetch(`${url}/oauth/token`, form({ ...CLIENT, ...fields }));
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: TokenBody.parse(JSON.parse(text)) };
}

export function exchange(url: string, code: string) {
  return requestToken(url, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI });
}

export function refresh(url: string, refreshToken: string) {
  return requestToken(url, { grant_type: 'refresh_token', refresh_token: refreshToken });
}

export async function consent(url: string, scope = ALL_SCOPES): Promise<{ access: string; refresh: string }> {
  const { body } = await exchange(url, await codeFor(url, scope));
  return { access: body.access_token ?? '', refresh: body.refresh_token ?? '' };
}

export interface Caller {
  get(path: string, headers?: Fields): Promise<Answer>;
  post(path: string, body: unknown, headers?: Fields): Promise<Answer>;
  patch(path: string, body: unknown, headers?: Fields): Promise<Answer>;
}

export function callerWith(url: string, accessToken: string): Caller {
  const defaults = { authorization: `Bearer ${accessToken}`, 'Service-API-Version': '20260901' };
  const write =
    (method: string): Caller['post'] =>
    async (path, body, headers = {}) =>
      answerFrom(
        await fetch(`${url}${path}`, {
          method,
          headers: { ...defaults, 'content-type': 'application/json', ...headers },
          body: typeof body === 'string' ? body : JSON.stringify(body),
        }),
      );
  return {
    get: async (path, headers = {}) =>
      answerFrom(await fetch(`${url}${path}`, { headers: { ...defaults, ...headers } })),
    post: write('POST'),
    patch: write('PATCH'),
  };
}

export async function authorisedCaller(url: string): Promise<Caller> {
  return callerWith(url, (await consent(url)).access);
}
