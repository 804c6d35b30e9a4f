// The services of a client, and what only the provider does to a client: its services and its merchant category.
import type { Engine } from '../engine/parts.js';
import { refuse } from '../http/refusal.js';
import { ServiceName, type Client, type ServiceStatus, type RiskLevel } from '../store/client.schema.js';
import type { TaskKind } from '../store/document.js';
import { noteChange, findClientRecord } from './records.js';
import { MerchantCategoryCode } from './merchant-categories.js';

// The services of a client: their states as a table, and the one function that moves them, state and ledger together.

/** How long the provider examines a client before a service it asks for is active. No document gives a time. */
export const APPROVAL_MS = 60_000;

/** Off-boarded is taken as final: no document describes a way back. */
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

/** No webhook reports it (docs/provider.md#clients): callers find out by asking. */
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

// What only the provider does to the services of a client: approve, suspend, resume, off-board.

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

// How risky a client is taken to be, by what it does.

/** The provider derives the risk from the code but does not publish how (docs/provider.md#clients); these two are our reading. */
const HIGH_RISK_CODES: readonly string[] = [
  '7995', // gambling
  '6051', // quasi-cash, digital currencies
];

export function riskOf(merchantCategoryCode: string): RiskLevel {
  return HIGH_RISK_CODES.includes(merchantCategoryCode) ? 'high' : 'low';
}

// What only the provider does to the merchant category of a client, and with it to its risk (docs/provider.md#clients).

/** Refused with 404 for an unknown client and 422 for a code that is not in the list. */
export function setMerchantCategory(engine: Engine, clientId: string, code: string): void {
  const client = findClientRecord(engine, clientId);
  if (!MerchantCategoryCode.safeParse(code).success) {
    throw refuse(422, 'Validation Failed', 'merchant_category_code must be one of the list');
  }
  const risk_level = riskOf(code);
  engine.store.clients.set(clientId, { ...client, merchant_category_code: code, risk_level });
  noteChange(engine, 'client', clientId, { from: `risk:${client.risk_level}`, to: `risk:${risk_level}` });
}
