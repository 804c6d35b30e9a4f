// Which requests contain the decision of a person. The audit log records each use of their routes.
import { z } from 'zod';
import type { RouteConfig } from '@hono/zod-openapi';

/** Fields by which a person decides whose account is connected, or whose stop ends. */
const DECISIVE: ReadonlySet<string> = new Set(['accept_other_account', 'stopped_by', 'expected_account']);

const Property = z.object({ type: z.unknown(), enum: z.unknown() }).partial();
const Schema = z.object({ properties: z.record(z.string(), Property) }).partial();

/** Without the names of schemas, so that the fields are not behind a reference. */
const INLINE = { io: 'input', unrepresentable: 'any', metadata: z.registry<{ id?: string }>() } as const;

/** Whether the body may have one of these fields, or a `reason` in a person's own words. A code of the provider is none. */
export function isDecision({ body }: NonNullable<RouteConfig['request']> = {}): boolean {
  const media = body?.content['application/json'];
  if (media === undefined || !('schema' in media) || !(media.schema instanceof z.ZodType)) return false;
  const { properties = {} } = Schema.parse(z.toJSONSchema(media.schema, INLINE));
  return Object.entries(properties).some(
    ([name, { type, enum: codes }]) =>
      DECISIVE.has(name) || (name === 'reason' && type === 'string' && codes === undefined),
  );
}
