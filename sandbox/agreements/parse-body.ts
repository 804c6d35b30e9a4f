// A body read by its schema; a field that the version does not have is refused with both their names.
import type { z } from 'zod';
import { refusalFrom, refuse } from '../http/refusal.js';
import type { ApiVersion } from '../http/version.js';

/**
 * @throws Refusal: 400 for an unknown field, telling the version that was asked for, since it may be another version's
 * (interface 7); 422 ZPUNP00 for anything else.
 */
export function parseBody<Body>(schema: z.ZodType<Body>, body: unknown, version: ApiVersion): Body {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const refusal = refusalFrom(parsed.error);
  const [error] = refusal.errors;
  if (refusal.status !== 400 || error === undefined) throw refusal;
  throw refuse(400, error.title, `${error.detail} (version ${version} does not have it)`);
}
