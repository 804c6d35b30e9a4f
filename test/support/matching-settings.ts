import { expect } from 'vitest';
import { readConfig as readApiConfig } from '../../api/config.js';
import { REVOCABLE_SCOPES } from '../../sandbox/http/scopes.js';
import { openSealedTo, sealTo } from '../../sealing/public-key.js';
import { readConfig as readWorkerConfig } from '../../worker/config.js';
import type { SandboxConfig } from '../../sandbox/config.js';

type Environment = Readonly<Record<string, string>>;

/** The settings of API, worker and sandbox of one installation are valid and fit together. */
export async function expectMatching(
  ofApi: Environment,
  ofWorker: Environment,
  sandbox: SandboxConfig,
  hosts: { api: string; sandbox: string },
): Promise<void> {
  const api = readApiConfig(ofApi);
  const worker = readWorkerConfig(ofWorker);
  expect(worker.TASK_QUEUE).toBe(api.TASK_QUEUE);
  const [ours, theirs] = [worker, api].map((config) =>
    config.ENCRYPTION_KEYS.map(({ id, key }) => [id, key.export()]),
  );
  expect(ours).toEqual(theirs);
  const sealed = await sealTo(api.TOKEN_PUBLIC_KEY, 'a code', 'here');
  expect(await openSealedTo(worker.TOKEN_KEYS, sealed, 'here')).toBe('a code');
  expect(ofApi).not.toHaveProperty('TOKEN_KEYS');
  expect(worker.PAYLOADS_IN_CLEAR).toBe(api.PAYLOADS_IN_CLEAR);
  expect(api.CODEC_ORIGINS).toContain(api.TEMPORAL_UI_URL);
  expect([api.OAUTH_REDIRECT_URI, worker.OAUTH_REDIRECT_URI]).toEqual([
    sandbox.redirectUri,
    sandbox.redirectUri,
  ]);
  expect([worker.OAUTH_CLIENT_ID, worker.OAUTH_CLIENT_SECRET.reveal()]).toEqual([
    sandbox.clientId,
    sandbox.clientSecret,
  ]);
  expect(api.OAUTH_SCOPES.split(' ')).toEqual(REVOCABLE_SCOPES);
  expect((api.WEBHOOK_SECRETS ?? []).map((secret) => secret.reveal())).toContain(sandbox.webhookSecret);
  expect([new URL(sandbox.webhookUrl).host, new URL(worker.PAYMENTS_API_URL).host]).toEqual([
    `${hosts.api}:${api.API_PORT}`,
    `${hosts.sandbox}:${sandbox.port}`,
  ]);
}
