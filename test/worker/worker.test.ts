import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import Long from 'long';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { SEARCH_ATTRIBUTES } from '../../workflows/entity/contract.js';
import { ensureSearchAttributes } from '../../worker/search-attributes.js';
import { readConfig } from '../../worker/config.js';
import { sweepSettings } from '../../worker/sweeps.js';
import { eventually } from '../support/temporal.js';
import { GOOD } from './environment.js';

describe('the worker’s configuration', () => {
  test('has defaults for what can be guessed', () => {
    expect(readConfig(GOOD)).toMatchObject({
      TASK_QUEUE: 'payto',
      PAYMENTS_API_VERSION: '20260901',
      PAYMENTS_RATE_PER_SECOND: 10,
      PAYMENTS_RATE_BURST: 20,
      METRICS_PORT: 9464,
      PAYLOADS_IN_CLEAR: 'refuse',
      MAX_CACHED_WORKFLOWS: 500,
      SWEEP_INTERVAL_HOURS: 6,
      SWEEP_ADOPTS: false,
    });
  });

  test.each([
    ['0', 0],
    ['0.1', 360_000],
    ['168', 604_800_000],
  ])('takes %s for so many hours from one sweep to the next', (written, everyMs) => {
    const config = readConfig({ ...GOOD, SWEEP_INTERVAL_HOURS: written, SWEEP_ADOPTS: 'true' });
    if ('problems' in config) throw new Error(config.problems.join());
    expect(sweepSettings(config)).toEqual({ everyMs, adopts: true, paceMs: 500 });
  });

  test.each([
    ['1000', 5],
    ['0.5', 10_000],
    ['0.000001', 60_000],
  ])('of %s calls a second leaves four fifths to payments', (written, paceMs) => {
    const config = readConfig({ ...GOOD, PAYMENTS_RATE_PER_SECOND: written });
    if ('problems' in config) throw new Error(config.problems.join());
    expect(sweepSettings(config)).toMatchObject({ paceMs });
  });

  test('takes what is empty for what is not set', () => {
    const names = [
      'TASK_QUEUE',
      'PAYMENTS_API_VERSION',
      'PAYMENTS_VERSION_HEADER',
      'PAYMENTS_RATE_PER_SECOND',
      'PAYMENTS_RATE_BURST',
      'SWEEP_INTERVAL_HOURS',
      'SWEEP_ADOPTS',
      'METRICS_PORT',
      'METRICS_HOST',
    ];
    const empty = Object.fromEntries(
      [...names, 'MAX_CACHED_WORKFLOWS', 'TEMPORAL_ADDRESS'].map((name) => [name, ' ']),
    );
    expect(JSON.stringify(readConfig({ ...GOOD, ...empty }))).toEqual(JSON.stringify(readConfig(GOOD)));
    expect(readConfig({ ...GOOD, OAUTH_CLIENT_ID: '' })).toEqual({
      problems: [expect.stringMatching(/^OAUTH_CLIENT_ID: expected /)],
    });
  });

  test('says where Temporal is, in Temporal’s own variables', () => {
    const given = { ...GOOD, TEMPORAL_ADDRESS: 'temporal:7233', TEMPORAL_NAMESPACE: 'payto' };
    expect(readConfig(given)).toMatchObject({
      temporal: { namespace: 'payto', address: 'temporal:7233' },
    });
    expect(readConfig({ ...GOOD, TEMPORAL_PROFILE: 'nobody-made-it' })).toEqual({
      problems: [expect.stringContaining('TEMPORAL_PROFILE')],
    });
  });

  test.each(['user:hunter2@temporal:7233', 'http://hunter2:7233', 'no host hunter2'])(
    'takes %j for no address of Temporal, and does not repeat it',
    (TEMPORAL_ADDRESS) => {
      const config = readConfig({ ...GOOD, TEMPORAL_ADDRESS });
      expect(config).toEqual({ problems: [expect.stringContaining('TEMPORAL_ADDRESS')] });
      expect(JSON.stringify(config)).not.toContain('hunter2');
    },
  );

  test.each(['temporal', '10.0.0.7:7233', '[::1]:7233', 'my_temporal.svc.cluster.local:7233'])(
    'takes %j for an address of Temporal',
    (TEMPORAL_ADDRESS) => {
      expect(readConfig({ ...GOOD, TEMPORAL_ADDRESS })).toMatchObject({
        temporal: { address: TEMPORAL_ADDRESS },
      });
    },
  );

  test.each([
    ['0.5', 0.5],
    ['1000', 1000],
  ])('takes %s for so many calls a second', (written, perSecond) => {
    expect(readConfig({ ...GOOD, PAYMENTS_RATE_PER_SECOND: written })).toMatchObject({
      PAYMENTS_RATE_PER_SECOND: perSecond,
    });
  });

  test.each(Object.keys(GOOD))('names %s when it is missing', (name) => {
    expect(readConfig({ ...GOOD, [name]: undefined })).toEqual({ problems: [expect.stringContaining(name)] });
  });

  test.each([
    ['PAYMENTS_API_URL', 'ftp://somewhere'],
    ['PAYMENTS_API_VERSION', '2026-09-01'],
    ['ENCRYPTION_KEYS', 'k:c2hvcnQ='],
    ['ENCRYPTION_KEYS', `${GOOD.ENCRYPTION_KEYS},k:${Buffer.alloc(32, 1).toString('base64')}`],
    ['PAYMENTS_AUTH_URL', 'auth.example'],
    ['PAYMENTS_RATE_PER_SECOND', '0000'],
    ['PAYMENTS_RATE_PER_SECOND', '0.000'],
    ['PAYMENTS_RATE_PER_SECOND', '-7'],
    ['PAYMENTS_RATE_PER_SECOND', '1000.5'],
    ['PAYMENTS_RATE_PER_SECOND', '1e2'],
    ['SWEEP_INTERVAL_HOURS', '0.09'],
    ['SWEEP_INTERVAL_HOURS', '168.1'],
    ['SWEEP_INTERVAL_HOURS', '-1'],
    ['SWEEP_INTERVAL_HOURS', '6h'],
    ['SWEEP_ADOPTS', 'yes'],
    ['PAYMENTS_RATE_BURST', '0000'],
    ['PAYMENTS_RATE_BURST', '2.5'],
    ['PAYMENTS_RATE_BURST', '1001'],
    ['PAYLOADS_IN_CLEAR', 'maybe'],
    ['METRICS_PORT', 'many'],
    ['METRICS_PORT', '65536'],
    ['METRICS_HOST', 'localhost'],
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
