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

describe('a warning or an error', () => {
  test('says where, and of the error its class and its code', () => {
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

  test('tells that a payload was refused', () => {
    const { sdk, last } = heard();
    sdk.error('Failed to decode', { ...AT, error: new SealError('clear_payload', 'met one in clear') });
    expect(last()).toMatchObject({ error_class: 'SealError', error_code: 'clear_payload' });
  });

  test('of the native half says whose run it is and the name of the status', () => {
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
    ['{"MARKER":1}', 'the SDK wrote a line'],
    ['', 'the SDK wrote a line'],
  ])('%s is written as %s', (message, event) => {
    const { sdk, last, lines } = heard();
    sdk.error(message, { sdkComponent: 'worker' });
    expect(last()).toMatchObject({ event });
    expect(lines.join()).not.toContain('MARKER');
  });

  test('is dropped where it only says that a worker carries no workflows', () => {
    const { sdk, lines } = heard();
    sdk.warn('No workflows registered, not polling for workflow tasks', AT);
    expect(lines).toEqual([]);
  });

  test.each(['workflow', 'activity', 'nexus'])('of code in a %s is only said to be there', (sdkComponent) => {
    const { sdk, last, lines } = heard();
    sdk.warn('MARKER', { ...AT, sdkComponent });
    expect(last()).toMatchObject({
      event: 'a workflow or activity wrote a line',
      workflow_id: 'agreement/agr-1',
    });
    expect(lines.join()).not.toContain('MARKER');
  });
});

test('less than a warning is not written', () => {
  const { sdk, lines } = heard();
  sdk.trace('x');
  sdk.debug('x');
  sdk.info('x');
  sdk.log('INFO', 'x');
  expect(lines).toEqual([]);
});
