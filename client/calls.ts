// The calls of the client, typed by the paths of the API document, and the sending of one request.
import type { Operations } from './generated/operations.js';

/** A client with one function per HTTP method. Its first argument is a path of the API document. */
export type Calls = {
  [Method in keyof Operations]: <Path extends keyof Operations[Method]>(
    path: Path,
    ...options: Arguments<RequestOf<Operations[Method][Path]>>
  ) => Promise<AnswerTo<Operations[Method][Path]>>;
};

/** `data` of a successful response, or `error` of any other one. */
export type Answer<Data, Failure> =
  { data: Data; error?: never; response: Response } | { data?: never; error: Failure; response: Response };

type AnswerTo<Operation> = Operation extends { data: infer Data; error: infer Failure }
  ? Answer<Data, Failure>
  : never;

type RequestOf<Operation> = Operation extends { request: infer Wanted } ? Wanted : never;

/** The options may be left out if the operation requires none. */
type Arguments<Wanted> =
  Record<never, never> extends Options<Wanted> ? [options?: Options<Wanted>] : [options: Options<Wanted>];

type Options<Wanted> = Abortable &
  Pick<Wanted, Extract<keyof Wanted, 'body'>> &
  (Record<never, never> extends Parameters<Wanted>
    ? { params?: Parameters<Wanted> }
    : { params: Parameters<Wanted> });

interface Abortable {
  /** Aborts this call. */
  signal?: AbortSignal;
}

/** The generator names them `path`, `query` and `headers`. */
type Parameters<Wanted> = {
  [Kind in keyof Wanted as Kind extends 'headers' ? 'header' : Extract<Kind, 'path' | 'query'>]: Wanted[Kind];
};

type Value = string | number | boolean | undefined;

interface UntypedParameters {
  path?: Record<string, Value>;
  query?: Record<string, Value | Value[]>;
  header?: Record<string, string>;
}

export interface UntypedOptions extends Abortable {
  params?: UntypedParameters;
  body?: unknown;
}

export interface Target {
  url: string;
  apiKey: string;
  fetch: (request: Request) => Promise<Response>;
}

/**
 * Sends a request and reads its response.
 * @throws the error of `fetch` if no response arrives, and a SyntaxError for a successful response with malformed JSON.
 */
export async function send(
  target: Target,
  method: keyof Operations,
  path: string,
  options?: UntypedOptions,
): Promise<Answer<unknown, unknown>> {
  const response = await target.fetch(requestTo(target, method, path, options));
  const received = await contentOf(response);
  return response.ok ? { data: received, response } : { error: received, response };
}

/** The request of a call, with the API key. @throws TypeError for a malformed URL. */
export function requestTo(
  { url, apiKey }: Target,
  method: keyof Operations,
  path: string,
  { params = {}, body, signal }: UntypedOptions = {},
): Request {
  const headers = new Headers(params.header);
  headers.set('authorization', `Bearer ${apiKey}`);
  if (body !== undefined) headers.set('content-type', 'application/json');
  return new Request(addressOf(url, path, params), {
    method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
    signal: signal ?? null,
  });
}

function addressOf(url: string, template: string, { path = {}, query = {} }: UntypedParameters): string {
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(path[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const item of [value].flat()) if (item !== undefined) search.append(name, String(item));
  return `${url.replace(/\/$/, '')}${filled}${search.size > 0 ? `?${search.toString()}` : ''}`;
}

const JSON_TYPE = /^application\/([\w.-]+\+)?json\b/i;

/** Parsed JSON, or the text of any other content. A proxy may label its own error page as JSON. */
export async function contentOf(response: Response): Promise<unknown> {
  const text = await response.text();
  if (!JSON_TYPE.test(response.headers.get('content-type') ?? '')) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (response.ok) throw error;
    return text;
  }
}
