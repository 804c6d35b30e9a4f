import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { readForeignVariables } from '../../../cli/config.js';
import { bringUp, type Stack } from '../../../cli/stack/bring-up.js';
import { dataFolder } from '../../../cli/stack/data-folder.js';
import { createProcessGroup } from '../../../cli/stack/process-group.js';
import { newSecrets } from '../../../cli/stack/secrets.js';
import { findPackageRoot } from '../../../temporal-server/binary/cache.js';
import { freePort } from '../../../temporal-server/free-port.js';
import type { Page } from 'playwright-core';

/** Runs the build: from source, each worker would bundle the workflows. */
export async function startStack(
  onFinished: (work: () => Promise<void>) => void = onTestFinished,
): Promise<Stack> {
  const folder = await mkdtemp(join(tmpdir(), 'payto-codec-'));
  onFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const { temporal, sandbox, records } = dataFolder(folder);
  const group = createProcessGroup(() => undefined, { isTerse: true });
  onFinished(() => group.stop());
  const wiring = {
    root: findPackageRoot(),
    variables: readForeignVariables(),
    secrets: await newSecrets(),
    ports: { api: await freePort(), admin: await freePort(), metrics: 0 },
    records: { port: await freePort(), folder: records, isDisposable: true },
    temporal: { port: await freePort(), uiPort: await freePort(), dbFilename: temporal },
    sandbox: { port: await freePort(), dataFile: sandbox },
  };
  return bringUp(wiring, {
    ...{ group, print: () => undefined, onLine: () => undefined },
    build: join(wiring.root, 'dist'),
  });
}

export async function signIn(page: Page, { apiKey }: Stack): Promise<void> {
  await page.getByLabel('API key').fill(apiKey);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Signed in with the key').waitFor();
}
