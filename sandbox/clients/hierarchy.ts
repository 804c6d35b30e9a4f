// Where a client may stand and what it may have there (interface 2.8, 8): two levels, or more where enabled.
import type { Engine } from '../engine.js';
import { refuseByCode } from '../http/refusal.js';
import { lineOf, registeredClient } from './client-records.js';
import type { Client, ServiceName } from './client.schema.js';

const DEEPEST_BY_DEFAULT = 2;

/**
 * The level of a new client beneath that parent, or beneath the primary client without one. Refuses an unknown parent,
 * and a third level where the organisation has only two. No document gives codes: as faults of the field, 422 ZPUNP00.
 */
export function levelBeneath(engine: Engine, parentId: string | null): number {
  if (parentId === null) return DEEPEST_BY_DEFAULT;
  const parent = registeredClient(engine, parentId);
  if (parent === undefined) {
    throw refuseByCode('ZPUNP00', `parent_client_id: there is no client with id ${parentId}`);
  }
  const level = levelOf(engine, parent) + 1;
  if (level <= DEEPEST_BY_DEFAULT || engine.settings.deepHierarchy) return level;
  throw refuseByCode('ZPUNP00', `parent_client_id: level ${level} is not enabled for the organisation`);
}

/** 1 is the primary client. */
export const levelOf = (engine: Engine, client: Client): number => lineOf(engine, client).length;

/** Documented: from the third level on there is PayTo alone. */
export function checkServices(level: number, services: readonly ServiceName[]): void {
  const refused = services.filter((service) => service !== 'payto');
  if (level <= DEEPEST_BY_DEFAULT || refused.length === 0) return;
  throw refuseByCode(
    'ZPUNP00',
    `services: ${refused.join(', ')} cannot be had on level ${level}, only payto`,
  );
}
