import { expect } from 'vitest';
import { anAgreement, type HttpStack } from '../../http-stack.js';
import { callsOf } from '../../over-http.js';
import type { Client } from '@temporalio/client';
import type { AwaitingWhat } from '../../../../domain/attention/awaiting.js';
import type { AgreementBody } from '../../backend.js';
import type { HttpProxy } from '../../http-proxy.js';

export interface Scene {
  road: HttpStack;
  gate: HttpProxy;
  temporal: Client;
  connection: string;
  passing: Promise<unknown>[];
  killedAt: number;
}

export interface Life {
  name: string;
  step: AwaitingWhat;
  enter: (scene: Scene, uid: string) => Promise<() => boolean>;
  meanwhile?: (scene: Scene, uid: string) => void;
  afterwards?: (scene: Scene, uid: string) => Promise<void>;
  isLate?: boolean;
  isAsked?: boolean;
  end: object;
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

export const readsOf = ({ road }: Scene, uid: string, since = 0): number =>
  callsOf(road, 'get_agreement', uid).filter(({ seq }) => seq > since).length;

export const eventsAt = ({ road }: Scene, uid: string): { type: string; id: string }[] =>
  road.sandbox.control.ledger().flatMap((entry) => {
    if (entry.kind !== 'change' || entry.resource_uid !== uid || entry.event_id === null) return [];
    return [{ type: entry.event_type?.replace('payto_agreement.', '') ?? '', id: entry.event_id }];
  });
