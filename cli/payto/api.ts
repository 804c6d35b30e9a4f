// The API as commands use it: the generated client, pages of lists, and what an unexpected answer means.
import {
  ApiProblem,
  DOCUMENT_VERSION,
  answerOf,
  createClient,
  type Operations,
  type PaytoClient,
} from '../../client/create.js';
import { EXIT, Failure } from './failure.js';
import type { ApiTarget } from './profile.js';

export interface Api extends ApiTarget {
  client: PaytoClient;
  signal: AbortSignal;
}

/** @param signal aborts all calls. */
export function openApi(target: ApiTarget, signal: AbortSignal): Api {
  const send = (request: Request) => fetch(request, { signal: AbortSignal.any([request.signal, signal]) });
  return { ...target, signal, client: createClient({ ...target, fetch: send }) };
}

/** The paths of lists, as far as they have no parameter in the path. */
export type ListPath = {
  [Path in keyof Operations['GET']]: Operations['GET'][Path] extends {
    data: { data: unknown[]; links: object };
  }
    ? Path
    : never;
}[keyof Operations['GET']];

export type RowOf<Path extends ListPath> = Operations['GET'][Path]['data']['data'][number];

export interface ListRequest {
  path: ListPath;
  /** In the path. */
  of?: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string | number | undefined>>;
}

interface Page {
  data: object[];
  links: { next?: string };
}

/** The pages of a list, one at a time, so that a long list needs no memory. */
export async function* pagesOf(
  { client }: Api,
  { path, of = {}, query }: ListRequest,
): AsyncGenerator<object[]> {
  let cursor: string | undefined;
  do {
    // The API checks the values, which come from the command line.
    const params = {
      path: of,
      query: { per_page: 100, ...query, ...(cursor !== undefined && { cursor }) },
    } as never;
    const { data, links }: Page = await answerOf(client.GET(path, { params }) as never);
    yield data;
    cursor = cursorIn(links.next);
  } while (cursor !== undefined);
}

/** The cursor of the next page. */
export const cursorIn = (next: string | undefined): string | undefined =>
  next === undefined ? undefined : (new URLSearchParams(next.split('?')[1]).get('cursor') ?? undefined);

/** An answer that no API of this version gives may be that of another version, or of another server. */
export async function explained(error: unknown, { url, apiKey, signal }: Api): Promise<unknown> {
  const isUnexpected =
    (error instanceof ApiProblem && error.code === undefined && error.status < 500) ||
    error instanceof SyntaxError ||
    (error instanceof TypeError && error.cause === undefined);
  if (!isUnexpected || signal.aborted) return error;
  const found = await versionAt(url, apiKey);
  if (found === undefined)
    return new Failure(EXIT.failed, `${url} does not answer like this API. Check the URL.`, { cause: error });
  if (found === DOCUMENT_VERSION) return error;
  return new Failure(
    EXIT.failed,
    `The API at ${url} has version ${found}, but this payto has version ${DOCUMENT_VERSION}. Use the payto of the API’s release.`,
    { cause: error },
  );
}

async function versionAt(url: string, apiKey: string): Promise<string | undefined> {
  try {
    const { data } = await createClient({ url, apiKey }).GET('/openapi.json');
    const info: unknown = Reflect.get(data ?? {}, 'info');
    const version: unknown = Reflect.get(Object(info), 'version');
    return typeof version === 'string' ? version : undefined;
  } catch {
    // It is the second failure in a row, so the first one is reported.
    return undefined;
  }
}
