// What a call brings: the version that it is on, and its body as JSON or as a form.
import { z } from 'zod';
import { type PlainStatus, refusalFrom, refuse } from './refusal.js';
import type { RequestContext } from './responses.js';

// The API's versions. A caller names one in a header; without it, it gets the legacy one.
export const ApiVersion = z.enum(['20250101', '20260101', '20260901']);
export type ApiVersion = z.output<typeof ApiVersion>;

export const VERSION_HEADER = 'Service-API-Version';
export const CURRENT_VERSION: ApiVersion = '20260901';

export function isAtLeast(version: ApiVersion, other: ApiVersion): boolean {
  return version >= other;
}

export function versionFrom(header: string | undefined): ApiVersion {
  const version = ApiVersion.safeParse(header ?? '20250101');
  if (version.success) return version.data;
  throw refuse(
    400,
    'Invalid API Version',
    `${VERSION_HEADER} must be one of ${ApiVersion.options.join(', ')}`,
  );
}

// A request's body: a JSON object under the right content type, or a refusal.
export function parseBody(contentType: string | undefined, text: string): object {
  if (!/^application\/json\b/i.test(contentType ?? '')) {
    throw refuse(400, 'Malformed request', 'The body must be sent as application/json');
  }
  const body = json(text);
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
  throw refuse(400, 'Malformed request', 'The body must be a JSON object');
}

/** The uid a body asks for, good or bad: faults and ledger know the call by it. */
export function uidWritten(text: string): string | null {
  const body = json(text);
  const isObject = typeof body === 'object' && body !== null && 'uid' in body;
  return isObject && typeof body.uid === 'string' ? body.uid : null;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// The fields of a form, texts only: files and repeated fields are nothing we ask for.
const FORM = /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i;

export type Form = Partial<Record<string, string>>;

/** Undefined where the body is no form at all. */
export async function readForm(c: RequestContext): Promise<Form | undefined> {
  if (!FORM.test(c.req.header('content-type') ?? '')) return undefined;
  const fields = await c.req.parseBody().catch(() => undefined);
  if (fields === undefined) return undefined;
  const texts = Object.entries(fields).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
  return Object.fromEntries(texts);
}

/** What of a file that was sent is looked at. */
export interface SentFile {
  type: string;
  /** Its first characters. */
  begins: string;
}

/** The first file of a multipart form; undefined where the body is no such form or holds none. */
export async function readFile(contentType: string | undefined, text: string): Promise<SentFile | undefined> {
  if (contentType === undefined || !/^multipart\/form-data\b/i.test(contentType)) return undefined;
  const sent = new Response(text, { headers: { 'content-type': contentType } });
  const form = await sent.formData().catch(() => undefined);
  const file = [...(form?.values() ?? [])].find((value) => value instanceof File);
  return file && { type: file.type, begins: await file.slice(0, 5).text() };
}

/**
 * A body read by its schema.
 * @throws Refusal: 400 for an unknown field, telling the version that was asked for, since it may be another version's
 * (docs/provider.md#errors); 422 ZPUNP00 for anything else.
 * @param plain the status for whatever is wrong, without a code; without one it is refused as said.
 */
export function parseInVersion<Body>(
  schema: z.ZodType<Body>,
  body: unknown,
  version: ApiVersion,
  plain?: PlainStatus,
): Body {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const refusal = refusalFrom(parsed.error, plain);
  const [error] = refusal.errors;
  const isUnknown = parsed.error.issues.some(({ code }) => code === 'unrecognized_keys');
  if (!isUnknown || error === undefined) throw refusal;
  throw refuse(refusal.status, error.title, `${error.detail} (version ${version} does not have it)`);
}
