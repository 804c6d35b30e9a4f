// The initiator of an agreement: a registered client, or else the primary client (docs/provider.md#agreements-resource, #versions).
import type { Engine } from '../engine/parts.js';
import { refuseByCode, refuseInDetail } from '../http/refusal.js';
import type { AgreementInitiator } from '../store/agreement.schema.js';
import type { Client } from '../store/client.schema.js';
import { ancestryOf, primaryClient, registeredClient } from './records.js';

export interface AskedInitiator {
  name?: string | null | undefined;
  client_id?: string | null | undefined;
}

/**
 * The initiator of a new agreement.
 * @throws Refusal 422: ZPUNP00 for an unregistered client or name, ZCLT05 without an active PayTo service, ZPAGR01 without an ABN or ACN.
 */
export function initiatorFor(engine: Engine, asked: AskedInitiator | null | undefined): AgreementInitiator {
  const { name = null, client_id = null } = asked ?? {};
  const client = client_id === null ? primaryClient(engine) : requireClient(engine, client_id);
  for (const above of ancestryOf(engine, client)) requirePayTo(above);
  if (name !== null && !namesOf(client).includes(name)) {
    throw refuseInDetail('ZPUNP00', 'initiator.name: is not a name registered on the client');
  }
  const { australian_business_number: abn, australian_company_number: acn, legal_name } = client;
  if (abn === null && acn === null) {
    throw refuseByCode('ZPAGR01');
  }
  return { name: name ?? client.business_names[0] ?? legal_name, legal_name, abn, acn, client_id };
}

/**
 * The client to add to an existing agreement. Its own PayTo service must be active (ZCLT05). Clients above it block only new
 * agreements (docs/provider.md#clients). An unknown client is 422 ZPUNP00.
 */
export function clientToIdentify(engine: Engine, clientId: string): Client {
  const client = requireClient(engine, clientId);
  requirePayTo(client);
  return client;
}

/** Whether the client's registered details match the agreement (docs/provider.md#identification). The match is case-sensitive. */
export function clientMatches(engine: Engine, clientId: string, initiator: AgreementInitiator): boolean {
  const client = registeredClient(engine, clientId);
  return (
    client !== undefined &&
    client.legal_name === initiator.legal_name &&
    client.australian_business_number === initiator.abn &&
    client.australian_company_number === initiator.acn &&
    namesOf(client).includes(initiator.name)
  );
}

/** The refusal of an unknown client is not documented. We treat it as a field error, because the id is in the body. */
function requireClient(engine: Engine, clientId: string): Client {
  const client = registeredClient(engine, clientId);
  if (client !== undefined) return client;
  throw refuseInDetail('ZPUNP00', `initiator.client_id: there is no client with id ${clientId}`);
}

/**
 * ZCLT05 is documented for a client that never had the service. We infer that it also covers a suspended, off-boarded or pending
 * service; docs/provider.md#clients lists the last as unknown. A client above the initiator is documented to block it
 * only if suspended or off-boarded. Here, any inactive one does.
 */
function requirePayTo({ id, services: { payto } }: Client): void {
  if (payto === 'active') return;
  throw refuseInDetail('ZCLT05', `The PayTo service of client ${id} is ${payto ?? 'not configured'}`);
}

const namesOf = ({ legal_name, business_names }: Client): string[] => [legal_name, ...business_names];
