import { expect } from 'vitest';
import { anAgreement } from '../../road.js';
import { callsOf } from '../../on-the-road.js';
import type { Client } from '@temporalio/client';
import type { AwaitingWhat } from '../../../../domain/attention/awaiting.js';
import type { AgreementBody } from '../../backend.js';
import type { Road } from '../../road.js';
import type { Gate } from '../../gate.js';

export interface Scene {
  road: Road;
  gate: Gate;
  temporal: Client;
  connection: string;
  /** Time that passes for a workflow while nobody is there; over once the worker is back. */
  passing: Promise<unknown>[];
  /** The last line of the provider's ledger when the worker was killed. */
  killedAt: number;
}

export interface Life {
  name: string;
  /** What it waits for when its worker is killed. */
  step: AwaitingWhat;
  /** Brings it there. What it resolves to says whether it has arrived. */
  enter: (scene: Scene, uid: string) => Promise<() => boolean>;
  /** What happens while there is no worker. */
  meanwhile?: (scene: Scene, uid: string) => void;
  /** What is done once there is one again. */
  afterwards?: (scene: Scene, uid: string) => Promise<void>;
  /** A call of the killed worker reaches the provider after the new worker's. */
  isLate?: boolean;
  /** All that shall happen is that the provider is asked. */
  isAsked?: boolean;
  /** What the API answers of it in the end. */
  end: object;
  /** What must have happened at the provider exactly once, and nothing besides: events without their prefix. */
  once: readonly string[];
}

export async function activeOne(
  { road, connection }: Scene,
  uid: string,
  over: Partial<AgreementBody> = {},
): Promise<void> {
  const { data } = await road.backend.create(anAgreement(uid, { connection, ...over }));
  expect(data).toMatchObject({ state: 'active' });
}

/** How often the provider has been asked how this agreement stands, after that line of its ledger. */
export const readsOf = ({ road }: Scene, uid: string, since = 0): number =>
  callsOf(road, 'get_agreement', uid).filter(({ seq }) => seq > since).length;

/** Every change of the agreement that the provider told, oldest first: type without prefix, and id. */
export const eventsAt = ({ road }: Scene, uid: string): { type: string; id: string }[] =>
  road.sandbox.control.ledger().flatMap((entry) => {
    if (entry.kind !== 'change' || entry.resource_uid !== uid || entry.event_id === null) return [];
    return [{ type: entry.event_type?.replace('payto_agreement.', '') ?? '', id: entry.event_id }];
  });
