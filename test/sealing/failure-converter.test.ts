import { createRequire } from 'node:module';
import { ApplicationFailure } from '@temporalio/common';
import {
  decodeOptionalFailureToOptionalError,
  encodeErrorToFailure,
  loadDataConverter,
} from '@temporalio/common/lib/internal-non-workflow/index.js';
import { describe, expect, test } from 'vitest';
import { FAILURE_CONVERTER_PATH, dataConverterFor } from '../../sealing/data-converter.js';
import { keyringOf } from '../support/sealing/payloads.js';
import { lettersOf } from '../support/sealing/raw.js';

const converterOf = (...ids: readonly string[]) =>
  loadDataConverter(dataConverterFor({ keyring: keyringOf(...ids), namespace: 'default' }));
const converter = converterOf('k1');

function anError(): Error {
  const cause = new TypeError('MARKER of the cause', { cause: new Error('MARKER of the root') });
  cause.stack = 'TypeError: MARKER of the cause\n    at MARKER_in_the_stack (somewhere.ts:1:1)';
  return ApplicationFailure.create({
    message: 'MARKER of the error',
    type: 'Refused',
    nonRetryable: true,
    details: [{ name: 'MARKER of the details' }],
    cause,
  });
}

describe('sealed error', () => {
  test('shows its type but no message, stack, details or causes', async () => {
    const failure = await encodeErrorToFailure(converter, anError());
    expect(lettersOf(failure)).not.toContain('MARKER');
    expect(failure).toMatchObject({
      message: 'Encoded failure',
      stackTrace: '',
      applicationFailureInfo: { type: 'Refused', nonRetryable: true },
    });
  });

  test('opens completely with the key', async () => {
    const failure = await encodeErrorToFailure(converter, anError());
    const error = await decodeOptionalFailureToOptionalError(converter, failure);
    expect(error).toBeInstanceOf(ApplicationFailure);
    expect(error).toMatchObject({
      message: 'MARKER of the error',
      type: 'Refused',
      nonRetryable: true,
      details: [{ name: 'MARKER of the details' }],
      cause: { message: 'MARKER of the cause', cause: { message: 'MARKER of the root' } },
    });
    expect(error?.cause).toHaveProperty('stack', expect.stringContaining('MARKER_in_the_stack'));
  });

  test('stays sealed when a workflow passes it on', async () => {
    const once = await encodeErrorToFailure(converter, anError());
    const passedOn = await decodeOptionalFailureToOptionalError(converter, once);
    const twice = await encodeErrorToFailure(converter, passedOn);
    expect(lettersOf(twice)).not.toContain('MARKER');
    expect(await decodeOptionalFailureToOptionalError(converter, twice)).toMatchObject({
      message: 'MARKER of the error',
      cause: { message: 'MARKER of the cause' },
    });
  });

  test('is refused if its key is missing', async () => {
    const failure = await encodeErrorToFailure(converter, anError());
    await expect(decodeOptionalFailureToOptionalError(converterOf('k2'), failure)).rejects.toMatchObject({
      code: 'unknown_key',
    });
  });

  test('of the server is read unsealed', async () => {
    const failure = { message: 'activity StartToClose timeout', timeoutFailureInfo: { timeoutType: 1 } };
    expect(await decodeOptionalFailureToOptionalError(converter, failure)).toMatchObject({
      message: 'activity StartToClose timeout',
    });
  });
});

test('Node can load the converter from its source', () => {
  const load = createRequire(import.meta.url);
  expect(load(FAILURE_CONVERTER_PATH)).toMatchObject({
    failureConverter: { options: { encodeCommonAttributes: true } },
  });
});
