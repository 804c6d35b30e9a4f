// What only the provider does to the services of a client: approve, suspend, resume, off-board.
import type { Engine } from '../engine.js';
import { refuse } from '../http/refusal.js';
import { findClientRecord } from './client-records.js';
import { moveService } from './client-services.js';
import type { ServiceName, ServiceStatus } from './client.schema.js';

/** Refused with 404 for an unknown client and 409 where the service does not allow it. */
export function setService(
  engine: Engine,
  clientId: string,
  service: ServiceName,
  status: ServiceStatus,
): void {
  const client = findClientRecord(engine, clientId);
  if (moveService(engine, client, { service, status })) return;
  const now = client.services[service] ?? 'not configured';
  throw refuse(
    409,
    'Not possible now',
    `The ${service} service of client ${clientId} cannot become ${status}: it is ${now}`,
  );
}
