// The API's versions. A caller names one in a header; without it, it gets the legacy one.
import { z } from 'zod';
import { refuse } from './refusal.js';

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
