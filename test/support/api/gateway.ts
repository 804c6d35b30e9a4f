import { randomUUID } from 'node:crypto';
import { afterAll, inject } from 'vitest';
import { recordActivities } from '../../../activities/record.js';
import type { Activities } from '../../../activities/index.js';
import { ApiError } from '../../../api/http/problems/errors.js';
import { createGateway, type Gateway } from '../../../api/gateway/create.js';
import type { Fact } from '../../../domain/facts/fact.js';
import type { Notification } from '../../../payments-api/webhook.js';
import type { RecordedAgreementView } from '../../../workflows/agreement/contract.js';
import { openRecords, type RecordsDatabase } from '../../../records/database.js';
import { createReader } from '../../../records/read.js';
import { recordsUrl } from '../../../records/settings.schema.js';
import { createRecords } from '../../../records/write.js';
import { KEYRING, eventually, useTemporal } from '../temporal.js';
import { PATIENT_MS } from '../records.js';
import type { RowFilter, RowsRequest } from '../../../records/lists.js';
import { aFact, aMandate } from './builders.js';

export const now = () => new Date().toISOString();

export function useDoor(provider: Partial<Activities>) {
  const temporal = useTemporal();
  afterAll(async () => {
    await records?.close();
    records = undefined;
  });
  const withDoor = (work: (door: Gateway, connection: string) => Promise<void>) =>
    temporal.run({ ...recording(), ...provider }, async () => {
      const door = createGateway(temporal.client, temporal.taskQueue, reader());
      const connection = `c-${randomUUID()}`;
      await door.connections.begin(connection);
      await work(door, connection);
    });
  return { temporal, withDoor };
}

export async function refusal(call: Promise<unknown>) {
  const error = await call.then(
    () => new Error('expected a refusal; the call succeeded'),
    (met: unknown) => met,
  );
  if (!(error instanceof ApiError)) throw error;
  return { code: error.code, pointers: error.errors.map(({ pointer }) => pointer) };
}

export const patiently = <T>(ask: () => Promise<T>): Promise<T> =>
  ask().catch((error: unknown) => {
    if (!(error instanceof ApiError) || !AGAIN.has(error.code)) throw error;
    return patiently(ask);
  });
const AGAIN: ReadonlySet<string> = new Set([
  'worker_unavailable',
  'temporal_unavailable',
  'too_many_requests',
]);

export const ofAgreement = (uid: string, fact: Partial<Fact> = {}): Notification => ({
  resource: 'agreement',
  resourceType: 'payto_agreement',
  uid,
  fact: aFact({ id: randomUUID(), publishedAt: now(), ...fact }),
});

export const ofPayment = (uid: string, fact: Partial<Fact> = {}): Notification => ({
  ...ofAgreement(uid, fact),
  resource: 'payment',
  resourceType: 'payto_payment',
});

export const ofRefund = (uid: string, fact: Partial<Fact> = {}): Notification => ({
  ...ofAgreement(uid, fact),
  resource: 'refund',
  resourceType: 'payto_refund',
});

const opened = () => openRecords(recordsUrl.parse(inject('recordsUrl')), PATIENT_MS);
let records: RecordsDatabase | undefined;

const reader = () => createReader({ db: (records ??= opened()).db, keyring: KEYRING });

/** The writer of the worker. */
export const boundKeys = () => createRecords({ db: (records ??= opened()).db, keyring: KEYRING });

function recording() {
  const writer = boundKeys();
  return { ...recordActivities({ records: writer }), ...writer };
}

export const rowsOf = (filter: RowFilter): RowsRequest => ({
  filter,
  sort: { by: 'created', isDescending: true },
  after: undefined,
  limit: 100,
});

export const factsOf = async (door: Gateway, uid: string) => {
  const of = { resource: 'agreement', uid } as const;
  const timeline = await door.timeline(of, { after: undefined, limit: 200 });
  return timeline?.entries.flatMap(({ factId, name }) =>
    factId === undefined ? [] : [{ id: factId, type: name }],
  );
};

export async function active(door: Gateway, connection: string): Promise<RecordedAgreementView> {
  const { uid } = await door.agreements.start({ uid: `a-${randomUUID()}`, connection, mandate: aMandate() });
  await door.deliver(ofAgreement(uid), undefined);
  // Without the answer to the submission, the next event would be in conflict with it.
  await eventually(
    () => door.agreements.view(uid),
    (view) => view?.state === 'active' && view.awaiting.what === 'nothing',
  );
  return reaches(door, uid, 'active');
}

export async function reaches(door: Gateway, uid: string, state: string): Promise<RecordedAgreementView> {
  const view = await eventually(
    () => door.agreements.view(uid),
    (seen) => seen?.state === state,
  );
  if (view === undefined) throw new Error('expected an agreement');
  return view;
}
