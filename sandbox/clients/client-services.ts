// The services of a client: their states as a table, and the one function that moves them, state and ledger together.
import type { Engine } from '../engine.js';
import type { TaskKind } from '../time/task.schema.js';
import { noteChange } from './client-ledger.js';
import { findClientRecord } from './client-records.js';
import { ServiceName, type Client, type ServiceStatus } from './client.schema.js';

/** How long the provider looks at a client before a service it asks for is active. No document gives a time. */
export const APPROVAL_MS = 60_000;

/** Off-boarded is taken as final: no document tells of a way back. */
const NEXT: Record<ServiceStatus, readonly ServiceStatus[]> = {
  pending: ['active', 'off_boarded'],
  active: ['suspended', 'off_boarded'],
  suspended: ['active', 'off_boarded'],
  off_boarded: [],
};

const APPROVAL: Record<ServiceName, TaskKind> = {
  payto: 'activate_payto',
  rtp: 'activate_rtp',
  de: 'activate_de',
};

export interface ServiceMove {
  service: ServiceName;
  status: ServiceStatus;
}

/** What the provider could do now to the services of a client. */
export function serviceMoves({ services }: Client): ServiceMove[] {
  return ServiceName.options.flatMap((service) => {
    const from = services[service];
    return from === null ? [] : NEXT[from].map((status) => ({ service, status }));
  });
}

/** Moves the service where the table allows it, and says whether it did. */
export function moveService(engine: Engine, client: Client, { service, status }: ServiceMove): boolean {
  const from = client.services[service];
  if (from === null || !NEXT[from].includes(status)) return false;
  write(engine, client.id, { service, status });
  return true;
}

/**
 * Asks for services, each pending from here on until the sandbox's clock is a minute on. Those the client has already
 * stay as they are, suspended and off-boarded ones too: only the provider gives them back.
 */
export function requestServices(engine: Engine, client: Client, services: readonly ServiceName[]): void {
  for (const service of new Set(services)) {
    if (client.services[service] !== null) continue;
    write(engine, client.id, { service, status: 'pending' });
    engine.scheduler.add(APPROVAL[service], client.id, engine.clock.now() + APPROVAL_MS);
  }
}

/** The time has come; does nothing to a service that the provider has decided on in the meantime. */
export function activateService(engine: Engine, clientId: string, service: ServiceName): void {
  const client = engine.store.clients.get(clientId);
  if (client?.services[service] === 'pending') moveService(engine, client, { service, status: 'active' });
}

/** No webhook tells of it (facts 15): callers find out by asking. */
function write(engine: Engine, clientId: string, { service, status }: ServiceMove): void {
  // As it stands now: another service of it may have been written a moment ago.
  const client = findClientRecord(engine, clientId);
  const from = client.services[service];
  engine.store.clients.set(clientId, { ...client, services: { ...client.services, [service]: status } });
  noteChange(engine, 'client', clientId, {
    from: from === null ? null : `${service}:${from}`,
    to: `${service}:${status}`,
  });
}
