// Schemathesis generates valid and invalid requests from the API document, and compares the answers with it.
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { lackOfPython, pythonPackages } from './python-packages.js';
import { startProduct } from './product.js';

const SOURCES = join(import.meta.dirname, 'schemathesis');
const SEED = 61;
const SECONDS = 240;

/** Checks that Schemathesis does not make, with the reason. */
const CHECKS_OFF: Readonly<Record<string, string>> = {
  allow_header_conformance:
    'GET of /v1/notifications/acknowledgements reads the notification with this id, which is another path of the document',
  positive_data_acceptance:
    'a request that matches its schema may be refused: rules of the provider compare its fields with each other and with other resources',
};

/** Operations that it does not call, with the reason. */
const OPERATIONS_OFF: Readonly<Record<string, string>> = {
  createWebhookEndpoint: 'events would go to generated addresses on the internet',
  changeWebhookEndpoint: 'events would go to generated addresses on the internet',
};

const lack = await lackOfPython();

test.skipIf(lack !== undefined)(
  lack === undefined
    ? 'answers match the API document'
    : `answers match the API document: skipped, because ${lack}`,
  async () => {
    const packages = await pythonPackages(join(SOURCES, 'requirements.txt'));
    const product = await startProduct(console.log, { API_RATE_PER_KEY: '0', SWEEP_INTERVAL_HOURS: '0' });
    onTestFinished(() => product.stop());
    const options = {
      url: product.apiUrl,
      header: `Authorization: Bearer ${product.apiKey}`,
      seed: String(SEED),
      'max-time': String(SECONDS),
      'request-timeout': '20',
      'exclude-checks': Object.keys(CHECKS_OFF).join(),
    };
    const words = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
    const left = Object.keys(OPERATIONS_OFF).flatMap((id) => ['--exclude-operation-id', id]);
    const run = ['--config-file', join(SOURCES, 'schemathesis.toml'), 'run', ...words, ...left];
    const folder = join(import.meta.dirname, '..', '..', '.data', 'schemathesis');
    await rm(folder, { recursive: true, force: true }); // It would first repeat requests of an earlier run.
    await mkdir(folder, { recursive: true });
    const { all, failed } = await product.guard(
      execa('python3', ['-m', 'schemathesis.cli', ...run, `${product.apiUrl}/openapi.json`], {
        cwd: folder,
        env: { PYTHONPATH: packages },
        all: true,
        reject: false,
      }),
    );
    console.log(all);
    expect(failed).toBe(false);
  },
);
