// A client's services and merchant category, including the changes that only the provider can make.
import type { Engine } from '../engine/parts.js';
import { refuse } from '../http/refusal.js';
import { ServiceName, type Client, type ServiceStatus, type RiskLevel } from '../store/client.schema.js';
import type { TaskKind } from '../store/document.js';
import { noteChange, findClientRecord } from './records.js';
import { MerchantCategoryCode } from './merchant-categories.js';

// The service states as a table, and the function that changes a state and writes the ledger.

/** How long the provider reviews a requested service before it is active. The documents give no time. */
const APPROVAL_MS = 60_000;

/** We treat off-boarded as final, because the documents describe no way back. */
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

/** The service changes that the provider can make now. */
export function serviceMoves({ services }: Client): ServiceMove[] {
  return ServiceName.options.flatMap((service) => {
    const from = services[service];
    return from === null ? [] : NEXT[from].map((status) => ({ service, status }));
  });
}

/** Changes the service's status if the table allows it. Returns whether it did. */
function moveService(engine: Engine, client: Client, { service, status }: ServiceMove): boolean {
  const from = client.services[service];
  if (from === null || !NEXT[from].includes(status)) return false;
  write(engine, client.id, { service, status });
  return true;
}

/**
 * Requests services. Each is pending for one minute of the sandbox's clock. Existing services do not change, even if suspended or
 * off-boarded: only the provider can restore them.
 */
export function requestServices(engine: Engine, client: Client, services: readonly ServiceName[]): void {
  for (const service of new Set(services)) {
    if (client.services[service] !== null) continue;
    write(engine, client.id, { service, status: 'pending' });
    engine.scheduler.add(APPROVAL[service], client.id, engine.clock.now() + APPROVAL_MS);
  }
}

/** Does nothing if the provider has already decided on the service. */
export function activateService(engine: Engine, clientId: string, service: ServiceName): void {
  const client = engine.store.clients.get(clientId);
  if (client?.services[service] === 'pending') moveService(engine, client, { service, status: 'active' });
}

/** No webhook reports this change (docs/provider.md#clients); callers must poll. */
function write(engine: Engine, clientId: string, { service, status }: ServiceMove): void {
  // Read the latest record: an earlier write may have changed another service.
  const client = findClientRecord(engine, clientId);
  const from = client.services[service];
  engine.store.clients.set(clientId, { ...client, services: { ...client.services, [service]: status } });
  noteChange(engine, 'client', clientId, {
    from: from === null ? null : `${service}:${from}`,
    to: `${service}:${status}`,
  });
}

// Service changes that only the provider makes: approve, suspend, resume, off-board.

/** @throws Refusal 404 for an unknown client, 409 if the service's status does not allow the change. */
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
    'Conflict',
    `The ${service} service of client ${clientId} cannot become ${status}: its status is ${now}`,
  );
}

// The risk of a client, derived from its merchant category.

/** The provider derives the risk from the code but does not publish the rule (docs/provider.md#clients). We chose these two codes. */
const HIGH_RISK_CODES: readonly string[] = [
  '7995', // Gambling.
  '6051', // Quasi-cash and digital currencies.
];

export function riskOf(merchantCategoryCode: string): RiskLevel {
  return HIGH_RISK_CODES.includes(merchantCategoryCode) ? 'high' : 'low';
}

// Only the provider can change a client's merchant category, and with it the risk (docs/provider.md#clients).

/** @throws Refusal 404 for an unknown client, 422 for a code that is not in the list. */
export function setMerchantCategory(engine: Engine, clientId: string, code: string): void {
  const client = findClientRecord(engine, clientId);
  if (!MerchantCategoryCode.safeParse(code).success) {
    throw refuse(422, 'Validation Failed', 'merchant_category_code must be a code from the list');
  }
  const risk_level = riskOf(code);
  engine.store.clients.set(clientId, { ...client, merchant_category_code: code, risk_level });
  noteChange(engine, 'client', clientId, { from: `risk:${client.risk_level}`, to: `risk:${risk_level}` });
}
