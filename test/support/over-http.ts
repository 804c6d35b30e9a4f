import { randomUUID } from 'node:crypto';
import { expect, inject } from 'vitest';
import { createPaymentsApi, type PaymentsApi } from '../../payments-api/client.js';
import { recordsUrl } from '../../records/settings.schema.js';
import { openTcpProxy, type TcpProxy } from './tcp-proxy.js';
import { anAgreement, openHttpStack, type HttpStack, type HttpStackOptions } from './http-stack.js';
import type { AgreementBody } from './backend.js';
import type { Temporal } from './temporal.js';

export async function overHttp(
  temporal: Temporal,
  work: (http: HttpStack, connection: string) => Promise<void>,
  now?: () => number,
  over?: HttpStackOptions,
): Promise<void> {
  const http = await openHttpStack(temporal, temporal.taskQueue, now, over);
  try {
    const goAlong = async () => {
      const connection = `con-${randomUUID()}`;
      expect((await http.consent(connection)).data).toMatchObject({ status: 'healthy' });
      await work(http, connection);
    };
    await temporal.run(http.activities, goAlong);
  } finally {
    await http.close();
  }
}

/** As `overHttp`, with a proxy to the records that can be cut. */
export async function overHttpWithProxy(
  temporal: Temporal,
  work: (http: HttpStack, connection: string, proxy: TcpProxy) => Promise<void>,
  over: HttpStackOptions = {},
): Promise<void> {
  const { host, port, ...settings } = recordsUrl.parse(inject('recordsUrl'));
  const proxy = await openTcpProxy(`${host}:${port}`);
  const [near = '', nearPort] = proxy.address.split(':');
  const records = { ...settings, host: near, port: Number(nearPort) };
  try {
    await overHttp(temporal, (http, connection) => work(http, connection, proxy), undefined, {
      ...over,
      records,
    });
  } finally {
    await proxy.close();
  }
}

export const providerOf = ({ sandbox }: HttpStack): PaymentsApi =>
  createPaymentsApi({ baseUrl: sandbox.url, version: '20260901', versionHeader: 'Service-API-Version' });

export const paymentsAt = ({ sandbox }: HttpStack, uid: string) =>
  sandbox.control.state().payments.filter((payment) => payment.uid === uid);
export const agreementsAt = ({ sandbox }: HttpStack, uid: string) =>
  sandbox.control.state().agreements.filter((agreement) => agreement.uid === uid);
export const callsOf = ({ sandbox }: HttpStack, operation: string, uid: string) =>
  sandbox.control
    .ledger()
    .filter((entry) => entry.kind === 'call' && entry.operation === operation && entry.resource_uid === uid);
export async function active(
  http: HttpStack,
  connection: string,
  over: Partial<AgreementBody> = {},
): Promise<string> {
  const agreement = anAgreement(undefined, { connection, ...over });
  expect((await http.backend.create(agreement)).data).toMatchObject({ state: 'active' });
  return agreement.uid;
}
