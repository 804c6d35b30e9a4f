// The worker starts only with valid settings, and names each invalid one.
import { describe, expect, test } from 'vitest';
import { readConfig, readExpiryConfig } from '../../worker/config.js';
import { releaseOf, versioningOf } from '../../worker/deployment.js';
import { scheduledSettings } from '../../worker/sweeps.js';
import { refusedLines, GOOD } from '../support/environments.js';

const linesOf = (with_: Record<string, string | undefined>): readonly string[] =>
  refusedLines(() => readConfig({ ...GOOD, ...with_ }));

describe('worker configuration', () => {
  test('has defaults for optional variables', () => {
    expect(readConfig(GOOD)).toMatchObject({
      TASK_QUEUE: 'payto',
      PAYMENTS_API_VERSION: '20260901',
      PAYMENTS_RATE_PER_SECOND: 10,
      PAYMENTS_RATE_BURST: 20,
      METRICS_PORT: 9464,
      PAYLOADS_IN_CLEAR: 'refuse',
      SWEEP_INTERVAL_HOURS: 6,
      SWEEP_ADOPTS: false,
      AUDIT_INTERVAL_HOURS: 0.25,
      SETTLEMENT_INTERVAL_HOURS: 3,
      CREDIT_CASE_AFTER_MINUTES: 60,
      CREDIT_DECIDE_WITHIN_HOURS: 48,
    });
  });

  test.each([
    ['0', 0],
    ['0.1', 360_000],
    ['168', 604_800_000],
  ])('accepts %s hours between sweeps', (written, everyMs) => {
    const config = readConfig({ ...GOOD, SWEEP_INTERVAL_HOURS: written, SWEEP_ADOPTS: 'true' });
    expect(scheduledSettings(config).sweep).toEqual({ everyMs, adopts: true, paceMs: 500, resumeMs: 100 });
  });

  test('accepts hours between audits, and removes the trailing slash of the webhook URL', () => {
    const given = { AUDIT_INTERVAL_HOURS: '0.5', AUDIT_WEBHOOK_URL: 'https://ours.test/webhooks/' };
    const config = readConfig({ ...GOOD, ...given });
    const webhookUrl = 'https://ours.test/webhooks';
    expect(scheduledSettings(config).audit).toEqual({ everyMs: 1_800_000, webhookUrl });
  });

  test('accepts hours between settlements, and the times of credits', () => {
    const given = {
      SETTLEMENT_INTERVAL_HOURS: '0',
      CREDIT_CASE_AFTER_MINUTES: '0',
      CREDIT_DECIDE_WITHIN_HOURS: '0.5',
    };
    const config = readConfig({ ...GOOD, ...given });
    expect(scheduledSettings(config).settlement).toEqual({ everyMs: 0 });
    expect(scheduledSettings(config).credits).toEqual({ caseAfterMs: 0, decideWithinMs: 1_800_000 });
  });

  test.each([
    ['1000', 5],
    ['0.5', 10_000],
    ['0.000001', 60_000],
  ])('reserves four fifths of %s calls per second for payments', (written, paceMs) => {
    const config = readConfig({ ...GOOD, PAYMENTS_RATE_PER_SECOND: written });
    expect(scheduledSettings(config).sweep).toMatchObject({ paceMs });
  });

  test('treats empty variables as unset', () => {
    const names = [
      'TASK_QUEUE',
      'WORKER_VERSION',
      'PAYMENTS_API_VERSION',
      'PAYMENTS_VERSION_HEADER',
      'PAYMENTS_RATE_PER_SECOND',
      'PAYMENTS_RATE_BURST',
      'SWEEP_INTERVAL_HOURS',
      'SWEEP_ADOPTS',
      'AUDIT_INTERVAL_HOURS',
      'AUDIT_WEBHOOK_URL',
      'SETTLEMENT_INTERVAL_HOURS',
      'CREDIT_CASE_AFTER_MINUTES',
      'CREDIT_DECIDE_WITHIN_HOURS',
      'METRICS_PORT',
      'METRICS_HOST',
    ];
    const empty = Object.fromEntries(
      [...names, 'MAX_CACHED_WORKFLOWS', 'TEMPORAL_ADDRESS'].map((name) => [name, ' ']),
    );
    expect(JSON.stringify(readConfig({ ...GOOD, ...empty }))).toEqual(JSON.stringify(readConfig(GOOD)));
    expect(() => readConfig({ ...GOOD, OAUTH_CLIENT_ID: '' })).toThrow(/^OAUTH_CLIENT_ID: expected /);
  });

  test('reads the address of Temporal from TEMPORAL_* variables', () => {
    const given = {
      ...GOOD,
      TEMPORAL_ADDRESS: 'temporal:7233',
      TEMPORAL_NAMESPACE: 'payto',
      ALLOW_PLAINTEXT_TO: 'temporal',
    };
    expect(readConfig(given)).toMatchObject({
      temporal: { namespace: 'payto', address: 'temporal:7233' },
    });
    expect(() => readConfig({ ...GOOD, TEMPORAL_PROFILE: 'nobody-made-it' })).toThrow('TEMPORAL_PROFILE');
  });

  test.each(['user:hunter2@temporal:7233', 'http://hunter2:7233', 'no host hunter2'])(
    'refuses the Temporal address %j without quoting it',
    (TEMPORAL_ADDRESS) => {
      expect(linesOf({ TEMPORAL_ADDRESS })).toEqual([expect.stringContaining('TEMPORAL_ADDRESS')]);
      expect(linesOf({ TEMPORAL_ADDRESS }).join()).not.toContain('hunter2');
    },
  );

  test.each(['temporal', '10.0.0.7:7233', '[::1]:7233', 'my_temporal.svc.cluster.local:7233'])(
    'accepts the Temporal address %j',
    (TEMPORAL_ADDRESS) => {
      expect(readConfig({ ...GOOD, TEMPORAL_ADDRESS, TEMPORAL_TLS: 'true' })).toMatchObject({
        temporal: { address: TEMPORAL_ADDRESS },
      });
    },
  );

  test.each([
    ['0.5', 0.5],
    ['1000', 1000],
  ])('accepts %s calls per second', (written, perSecond) => {
    expect(readConfig({ ...GOOD, PAYMENTS_RATE_PER_SECOND: written })).toMatchObject({
      PAYMENTS_RATE_PER_SECOND: perSecond,
    });
  });

  test.each(Object.keys(GOOD))('reports %s if it is missing', (name) => {
    expect(linesOf({ [name]: undefined })).toEqual([expect.stringMatching(`^${name}: expected `)]);
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
    ['AUDIT_INTERVAL_HOURS', '24.1'],
    ['AUDIT_INTERVAL_HOURS', '0.05'],
    ['AUDIT_WEBHOOK_URL', 'hooks.example'],
    ['SETTLEMENT_INTERVAL_HOURS', '25'],
    ['CREDIT_CASE_AFTER_MINUTES', '10081'],
    ['CREDIT_DECIDE_WITHIN_HOURS', '9000'],
    ['PAYMENTS_RATE_BURST', '0000'],
    ['PAYMENTS_RATE_BURST', '2.5'],
    ['PAYMENTS_RATE_BURST', '1001'],
    ['PAYLOADS_IN_CLEAR', 'maybe'],
    ['METRICS_PORT', 'many'],
    ['METRICS_PORT', '65536'],
    ['METRICS_HOST', 'localhost'],
    ['MAX_CACHED_WORKFLOWS', '1'],
    ['WORKER_VERSION', 'one.two three'],
    ['WORKER_VERSION', '-rc:1'],
  ])('reports an invalid %s without quoting its value (%s)', (name, value) => {
    expect(linesOf({ [name]: value })).toEqual([expect.stringMatching(`^${name}: expected `)]);
    expect(linesOf({ [name]: value }).join()).not.toContain(value);
  });
});

describe('worker release', () => {
  test('has a deployment name that is derived from the task queue and valid in Temporal', () => {
    expect(releaseOf({ TASK_QUEUE: 'payto.eu:1', WORKER_VERSION: '1.2.0' })).toEqual({
      deploymentName: 'payto-eu-1',
      buildId: '1.2.0',
    });
  });

  test('is unversioned without WORKER_VERSION', () => {
    expect(versioningOf(releaseOf({ TASK_QUEUE: 'payto', WORKER_VERSION: undefined }))).toEqual({});
  });
});

describe('the retention of the records', () => {
  const config = (given: object) => readExpiryConfig({ RECORDS_EXPIRY_URL: GOOD.RECORDS_URL, ...given });
  const retentionOf = (RECORDS_RETENTION: string) => () => config({ RECORDS_RETENTION }).RECORDS_RETENTION;

  test('keys are kept for 90 days by default', () => {
    expect(config({}).IDEMPOTENCY_KEYS_RETENTION).toBe(90 * 86_400_000);
  });

  test.each([
    ['90d', 90 * 86_400_000],
    ['7y', 7 * 365.25 * 86_400_000],
  ])('%s is a number of days or years', (text, milliseconds) => {
    expect(retentionOf(text)()).toBe(milliseconds);
  });

  test.each(['0d', '7', 'y', '7 y', '-1d', '100000d'])('%s is refused', (text) => {
    expect(refusedLines(retentionOf(text))).toEqual([expect.stringMatching('^RECORDS_RETENTION: expected ')]);
  });
});
