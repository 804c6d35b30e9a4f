// How a client looks on the wire, by version.
import { isAtLeast, type ApiVersion } from '../http/version.js';
import type { Client } from './client.schema.js';

/** The parent belongs to the answers of version 20260901, the risk to those before it (interface 9). */
export function formatClient({ parent_client_id, risk_level, ...client }: Client, version: ApiVersion) {
  return isAtLeast(version, '20260901') ? { ...client, parent_client_id } : { ...client, risk_level };
}
