// A warning or error of the SDK is logged with its workflow and its code.
import { ApplicationFailure } from '@temporalio/common';
import { describe, expect, test } from 'vitest';
import { SealError } from '../../sealing/keyring.js';
import { createLogger } from '../../telemetry/logger.js';
import { sdkLogger } from '../../worker/sdk-logger.js';

function heard() {
  const lines: string[] = [];
  const sdk = sdkLogger(createLogger('worker', { write: (line) => void lines.push(line) }));
  const last = (): unknown => JSON.parse(lines.at(-1) ?? 'null');
  return { sdk, lines, last };
}

const AT = {
  sdkComponent: 'worker',
  workflowId: 'agreement/agr-1',
  runId: 'run-1',
  workflowType: 'agreement',
  activityType: 'createAgreement',
  taskQueue: 'payto',
  attempt: 3,
};

describe('warning or error of the SDK', () => {
  test('is logged with its workflow, error class and error code', () => {
    const { sdk, last, lines } = heard();
    const error = ApplicationFailure.create({
      message: 'MARKER said so',
      type: 'unavailable',
      details: [{ name: 'MARKER' }],
      cause: new Error('MARKER beneath'),
    });
    sdk.warn('Activity failed', { ...AT, error, input: 'MARKER', headers: { authorization: 'MARKER' } });
    expect(last()).toMatchObject({
      name: 'worker',
      event: 'Activity failed',
      workflow_id: 'agreement/agr-1',
      run_id: 'run-1',
      workflow_type: 'agreement',
      activity_type: 'createAgreement',
      task_queue: 'payto',
      attempt: 3,
      error_class: 'ApplicationFailure',
      error_code: 'unavailable',
    });
    expect(lines.join()).not.toContain('MARKER');
  });

  test('is logged with the code of a refused payload', () => {
    const { sdk, last } = heard();
    sdk.error('Failed to decode', { ...AT, error: new SealError('clear_payload', 'met one in clear') });
    expect(last()).toMatchObject({ error_class: 'SealError', error_code: 'clear_payload' });
  });

  test('is logged with its run and status name if it is from the native core', () => {
    const { sdk, last, lines } = heard();
    const error = 'Status { code: Unavailable, message: "MARKER" }';
    sdk.log('WARN', 'Error while polling: MARKER', { sdkComponent: 'core', run_id: 'run-2', error });
    expect(last()).toMatchObject({
      event: 'Error while polling',
      run_id: 'run-2',
      error_code: 'Unavailable',
    });
    expect(lines.join()).not.toContain('MARKER');
  });

  test.each([
    ['Worker failed', 'Worker failed'],
    ['A warning of a later version', 'A warning of a later version'],
    ['Workflow Worker Thread failed: MARKER', 'Workflow Worker Thread failed'],
    ['Run missing during completion Success { MARKER }', 'Run missing during completion Success'],
    ['Unexpected token in "MARKER"', 'Unexpected token in'],
    ['Still running.\nMARKER', 'Still running.'],
    ['{"MARKER":1}', 'log line of the SDK'],
    ['', 'log line of the SDK'],
  ])('is logged without quoted data: "%s" as "%s"', (message, event) => {
    const { sdk, last, lines } = heard();
    sdk.error(message, { sdkComponent: 'worker' });
    expect(last()).toMatchObject({ event });
    expect(lines.join()).not.toContain('MARKER');
  });

  test('is dropped if it only reports a worker without workflows', () => {
    const { sdk, lines } = heard();
    sdk.warn('No workflows registered, not polling for workflow tasks', AT);
    expect(lines).toEqual([]);
  });

  test.each(['workflow', 'activity', 'nexus'])('from a %s is logged without its message', (sdkComponent) => {
    const { sdk, last, lines } = heard();
    sdk.warn('MARKER', { ...AT, sdkComponent });
    expect(last()).toMatchObject({
      event: 'log line of a workflow or activity',
      workflow_id: 'agreement/agr-1',
    });
    expect(lines.join()).not.toContain('MARKER');
  });
});

test('messages below warning level are not logged', () => {
  const { sdk, lines } = heard();
  sdk.trace('x');
  sdk.debug('x');
  sdk.info('x');
  sdk.log('INFO', 'x');
  expect(lines).toEqual([]);
});
