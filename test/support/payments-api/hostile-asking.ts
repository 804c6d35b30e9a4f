import { inspect } from 'node:util';
import { createPaymentsApi, type PaymentsApi } from '../../../payments-api/client.js';
import { PaymentsApiError } from '../../../payments-api/errors.js';
import { NOW, anAgreementRequest } from './examples.js';
import type { HttpOptions } from '../../../payments-api/http/send.js';

const CALL = { accessToken: 'needle-in-the-token' };

export const hostileApi = (baseUrl: string, options: Partial<HttpOptions> = {}): PaymentsApi =>
  createPaymentsApi({
    baseUrl,
    version: '20260901',
    versionHeader: 'Service-API-Version',
    now: () => new Date(NOW),
    ...options,
  });

const NEEDLE = /needle|6e 65 65 64 6c 65/;

export const ASKING: Readonly<Record<'a read' | 'a write', (api: PaymentsApi) => Promise<unknown>>> = {
  'a read': async (api) => {
    for await (const agreement of api.listAgreements({ state: ['needle-in-the-query'] }, CALL))
      return agreement;
    return undefined;
  },
  'a write': (api) =>
    api.createAgreement({ ...anAgreementRequest(), description: 'needle-in-the-body' }, CALL),
};

export function shown(error: unknown): string {
  const whole = inspect(error, { depth: 20, showHidden: true, getters: true });
  return `${String(error)} ${JSON.stringify(error)} ${whole}`;
}

export async function failureOf(work: Promise<unknown>): Promise<PaymentsApiError> {
  const error: unknown = await work.then(
    (answer) => new Error(`expected a failure; got ${inspect(answer)}`),
    (reason: unknown) => reason,
  );
  if (!(error instanceof PaymentsApiError)) throw error;
  if (NEEDLE.test(shown(error))) throw new Error('expected an error without secrets; it contains one');
  return error;
}
