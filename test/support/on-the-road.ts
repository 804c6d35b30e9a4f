import { randomUUID } from 'node:crypto';
import { expect, inject } from 'vitest';
import { createPaymentsApi, type PaymentsApi } from '../../payments-api/client.js';
import { recordsUrl } from '../../records/settings.schema.js';
import { openLine, type Line } from './line.js';
import { anAgreement, openRoad, type Road, type RoadOver } from './road.js';
import type { AgreementBody } from './backend.js';
import type { Temporal } from './temporal.js';

export async function onTheRoad(
  temporal: Temporal,
  work: (road: Road, connection: string) => Promise<void>,
  now?: () => number,
  over?: RoadOver,
): Promise<void> {
  const road = await openRoad(temporal, temporal.taskQueue, now, over);
  try {
    const goAlong = async () => {
      const connection = `con-${randomUUID()}`;
      expect((await road.consent(connection)).data).toMatchObject({ status: 'healthy' });
      await work(road, connection);
    };
    await temporal.run(road.activities, goAlong);
  } finally {
    await road.close();
  }
}

/** As `onTheRoad`, with a line to the records that can be cut. */
export async function onALine(
  temporal: Temporal,
  work: (road: Road, connection: string, line: Line) => Promise<void>,
  over: RoadOver = {},
): Promise<void> {
  const { host, port, ...settings } = recordsUrl.parse(inject('recordsUrl'));
  const line = await openLine(`${host}:${port}`);
  const [near = '', nearPort] = line.address.split(':');
  const records = { ...settings, host: near, port: Number(nearPort) };
  try {
    await onTheRoad(temporal, (road, connection) => work(road, connection, line), undefined, {
      ...over,
      records,
    });
  } finally {
    await line.close();
  }
}

export const providerOf = ({ sandbox }: Road): PaymentsApi =>
  createPaymentsApi({ baseUrl: sandbox.url, version: '20260901', versionHeader: 'Service-API-Version' });

export const paymentsAt = ({ sandbox }: Road, uid: string) =>
  sandbox.control.state().payments.filter((payment) => payment.uid === uid);
export const agreementsAt = ({ sandbox }: Road, uid: string) =>
  sandbox.control.state().agreements.filter((agreement) => agreement.uid === uid);
export const callsOf = ({ sandbox }: Road, operation: string, uid: string) =>
  sandbox.control
    .ledger()
    .filter((entry) => entry.kind === 'call' && entry.operation === operation && entry.resource_uid === uid);
export async function active(
  road: Road,
  connection: string,
  over: Partial<AgreementBody> = {},
): Promise<string> {
  const agreement = anAgreement(undefined, { connection, ...over });
  expect((await road.backend.create(agreement)).data).toMatchObject({ state: 'active' });
  return agreement.uid;
}
