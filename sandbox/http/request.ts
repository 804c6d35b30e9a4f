// Reads a request: its API version, and its body as JSON or as a form.
import { z } from 'zod';
import { type PlainStatus, refusalFrom, refuse } from './refusal.js';
import type { RequestContext } from './responses.js';

// A caller names the API version in a header. Without it, the lowest version applies.
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

// The body must be a JSON object with a JSON content type. Anything else is refused.
export function parseBody(contentType: string | undefined, text: string): object {
  if (!/^application\/json\b/i.test(contentType ?? '')) {
    throw refuse(400, 'Malformed request', 'The body must be sent as application/json');
  }
  const body = json(text);
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
  throw refuse(400, 'Malformed request', 'The body must be a JSON object');
}

/** The `uid` in the body, valid or not. Faults and the ledger identify the call by it. */
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

// The text fields of a form. Files and repeated fields are ignored.
const FORM = /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i;

export type Form = Partial<Record<string, string>>;

/** Undefined if the body is not a form. */
export async function readForm(c: RequestContext): Promise<Form | undefined> {
  if (!FORM.test(c.req.header('content-type') ?? '')) return undefined;
  const fields = await c.req.parseBody().catch(() => undefined);
  if (fields === undefined) return undefined;
  const texts = Object.entries(fields).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
  return Object.fromEntries(texts);
}

/** The parts of an uploaded file that we check. */
export interface SentFile {
  type: string;
  /** The first characters of the file. */
  begins: string;
}

/** The first file of a multipart form. Undefined if the body is not a multipart form or contains no file. */
export async function readFile(contentType: string | undefined, text: string): Promise<SentFile | undefined> {
  if (contentType === undefined || !/^multipart\/form-data\b/i.test(contentType)) return undefined;
  const sent = new Response(text, { headers: { 'content-type': contentType } });
  const form = await sent.formData().catch(() => undefined);
  const file = [...(form?.values() ?? [])].find((value) => value instanceof File);
  return file && { type: file.type, begins: await file.slice(0, 5).text() };
}

/**
 * Parses a body with its schema.
 * @param plain the status for all schema errors, which then have no code. If absent, the statuses below apply.
 * @throws Refusal 400 for an unknown field, naming the requested version, because another version may have the field
 * (docs/provider.md#errors); 422 ZPUNP00 for all other errors.
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
  throw refuse(refusal.status, error.title, `${error.detail} (version ${version} does not have this field)`);
}
