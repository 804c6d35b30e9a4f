// The fields of a form, texts only: files and repeated fields are nothing we ask for.
import type { RequestContext } from './responses.js';

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
