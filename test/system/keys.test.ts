import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { expect, inject, onTestFinished, test } from 'vitest';
import { keysProblem } from '../../records/keys.js';
import { parseKeyring } from '../../sealing/keyring.js';
import { aDatabase } from '../support/database.js';
import { API, GOOD as WORKER } from '../support/environments.js';
import { builtOf, startNode } from '../support/processes.js';
import { registerNamespace } from '../support/temporal.js';

const OLD_KEY = `old:${Buffer.from(randomUUID().slice(4)).toString('base64')}`;

async function endOf(program: string, variables: Readonly<Record<string, string>>, words: string[] = []) {
  const { ended, output, signal } = startNode([program, ...words], variables);
  onTestFinished(() => {
    signal('SIGKILL');
  });
  const exitCode = await ended;
  return { exitCode, lines: output().trim().split('\n') };
}

const addressed = (url: string) => ({
  TEMPORAL_ADDRESS: inject('temporalAddress'),
  RECORDS_URL: url,
  ...{ METRICS_PORT: '0', API_PORT: '0', ADMIN_PORT: '0' },
});

test.each([
  ['worker', WORKER],
  ['api', API],
] as const)('the %s stops if its keys cannot open what exists', async (room, given) => {
  const { url, application } = await aDatabase();
  expect(await keysProblem(application.db, parseKeyring(OLD_KEY))).toBeUndefined();
  const { exitCode, lines } = await endOf(builtOf(room), { ...given, ...addressed(url) });
  expect({ exitCode, line: lines.at(-1) }).toEqual({
    exitCode: 78,
    line: expect.stringMatching(
      new RegExp(`^${room}: ENCRYPTION_KEYS: expected also the key old, `),
    ) as string,
  });
});

test('reseal says which runs need an older key, and forgets the key once none does', async () => {
  const { url, adminUrl, application } = await aDatabase();
  expect(await keysProblem(application.db, parseKeyring(OLD_KEY))).toBeUndefined();
  const namespace = `reseal-${randomUUID()}`;
  const connection = await Connection.connect({ address: inject('temporalAddress') });
  onTestFinished(() => connection.close());
  const client = new Client({ connection, namespace });
  await registerNamespace(client);
  const keys = { ENCRYPTION_KEYS: `${WORKER.ENCRYPTION_KEYS},${OLD_KEY}` };
  const given = { ...addressed(url), ...keys, TEMPORAL_NAMESPACE: namespace, RECORDS_ADMIN_URL: adminUrl };
  const reseal = (...words: string[]) => endOf('dist/worker/reseal.js', given, words);
  const dry = await reseal();
  expect(dry).toMatchObject({
    exitCode: 0,
    lines: [expect.stringContaining('add --apply'), expect.anything()],
  });
  expect(await reseal('--apply')).toMatchObject({ exitCode: 0 });
  expect(await keysProblem(application.db, parseKeyring(WORKER.ENCRYPTION_KEYS))).toBeUndefined();
  await client.workflow.start('any', { workflowId: 'any', taskQueue: 'nobody', args: [] });
  await expect
    .poll(() => reseal('--apply'), { timeout: 60_000 })
    .toMatchObject({
      exitCode: 1,
      lines: expect.arrayContaining([expect.stringContaining('keep the older keys')]) as string[],
    });
});
