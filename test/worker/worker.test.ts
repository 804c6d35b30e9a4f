import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import Long from 'long';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { SEARCH_ATTRIBUTES } from '../../workflows/search-attributes.contract.js';
import { ensureSearchAttributes } from '../../worker/search-attributes.js';
import { readConfig } from '../../worker/config.js';
import { eventually } from '../temporal.js';

const GOOD = {
  PAYMENTS_API_URL: 'https://api.example',
  PAYMENTS_AUTH_URL: 'https://auth.example',
  OAUTH_CLIENT_ID: 'id',
  OAUTH_CLIENT_SECRET: 'a-secret',
  OAUTH_REDIRECT_URI: 'https://us.example/oauth/callback',
  ENCRYPTION_KEYS: `k:${Buffer.alloc(32).toString('base64')}`,
};

describe('the worker’s configuration', () => {
  test('has defaults for what can be guessed', () => {
    expect(readConfig(GOOD)).toMatchObject({
      TASK_QUEUE: 'payto',
      PAYMENTS_API_VERSION: '20260901',
      METRICS_PORT: 9464,
    });
  });

  test.each(Object.keys(GOOD))('names %s when it is missing', (name) => {
    expect(readConfig({ ...GOOD, [name]: undefined })).toEqual({ problems: [expect.stringContaining(name)] });
  });

  test.each([
    ['PAYMENTS_API_URL', 'ftp://somewhere'],
    ['PAYMENTS_API_VERSION', '2026-09-01'],
    ['ENCRYPTION_KEYS', 'k:c2hvcnQ='],
    ['METRICS_PORT', 'many'],
    ['MAX_CACHED_WORKFLOWS', '1'],
  ])('names %s when it is wrong, without quoting it', (name, value) => {
    const config = readConfig({ ...GOOD, [name]: value });
    expect(config).toEqual({ problems: [expect.stringContaining(name)] });
    expect(JSON.stringify(config)).not.toContain(value);
  });
});

describe('search attributes', () => {
  let connection: Connection;
  beforeAll(async () => {
    connection = await Connection.connect({ address: inject('temporalAddress') });
  });
  afterAll(() => connection.close());

  test('are registered where they are missing, and left alone where they are not', async () => {
    const namespace = `attributes-${randomUUID()}`;
    const day = { seconds: Long.fromNumber(86_400) };
    await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: day });
    const client = new Client({ connection, namespace });
    const listed = async () =>
      Object.keys(
        (await connection.operatorService.listSearchAttributes({ namespace })).customAttributes ?? {},
      );
    await eventually(
      () =>
        ensureSearchAttributes(client).then(
          () => true,
          () => false,
        ),
      Boolean,
    );
    expect(await listed()).toEqual(expect.arrayContaining(SEARCH_ATTRIBUTES.map(({ name }) => name)));
    await ensureSearchAttributes(client);
  });
});
