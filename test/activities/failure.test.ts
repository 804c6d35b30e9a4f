import { ActivityFailure, ApplicationFailure, RetryState, TimeoutFailure } from '@temporalio/common';
import { expect, test } from 'vitest';
import { writeFailure } from '../../activities/failure.js';
import { MEANINGS } from '../../domain/provider/error-meaning.js';
import { ERROR_TABLE } from '../../payments-api/error-table.js';
import { PaymentsApiError } from '../../payments-api/errors.js';
import { blockedForGood } from '../../workflows/entity/resource/blocked.js';
import { callFailureOf, isWithoutEffect } from '../../workflows/entity/engine/call-failure.js';
import type { CallFailure } from '../../workflows/entity/engine/call-failure.js';

function metBy(error: PaymentsApiError): CallFailure {
  const thrown = writeFailure(error);
  if (!(thrown instanceof ApplicationFailure)) throw new Error('expected an ApplicationFailure');
  const details: unknown = JSON.parse(JSON.stringify(thrown.details));
  const cause = ApplicationFailure.create({
    type: thrown.type ?? '',
    details: Array.isArray(details) ? details : [],
  });
  return callFailureOf(new ActivityFailure('', 'any', '1', RetryState.NON_RETRYABLE_FAILURE, '', cause));
}

const refusedWith = (code: string): PaymentsApiError =>
  new PaymentsApiError('rejected', 'a refusal', { status: 422, problems: [{ code, title: 'A title' }] });

test.each(Object.entries(ERROR_TABLE))(
  '%s arrives with what it means and what to do about it',
  (code, row) => {
    expect(metBy(refusedWith(code))).toMatchObject({
      code: 'rejected',
      providerCodes: [code],
      title: 'A title',
      ...row,
    });
  },
);

test('every meaning is that of some code, or of a new one', () => {
  const met = new Set(
    [...Object.values(ERROR_TABLE), metBy(refusedWith('ZPPAY99'))].map(({ means }) => means),
  );
  expect([...met].sort()).toEqual([...MEANINGS].sort());
});

test.each([true, undefined])(
  'a 403 arrives with whether it says that a scope is missing: %s',
  (lacksScope) => {
    const met = metBy(new PaymentsApiError('forbidden', 'no', { status: 403, lacksScope }));
    expect(met).toMatchObject({ code: 'forbidden', status: 403, lacksScope });
  },
);

test('a code of no family means nothing, and there is no advice', () => {
  expect(metBy(refusedWith('XYZ1'))).toMatchObject({ means: undefined, advice: undefined });
});

test('a meaning that this release does not know is left out', () => {
  const cause = ApplicationFailure.create({ type: 'rejected', details: [{ means: 'of_tomorrow' }] });
  const failure = new ActivityFailure('', 'any', '1', RetryState.NON_RETRYABLE_FAILURE, '', cause);
  expect(callFailureOf(failure).means).toBeUndefined();
});

test('what our own check refused keeps its reason, which no provider gave', () => {
  const message = 'createAgreement: expected a request as documented; met description (custom)';
  expect(metBy(new PaymentsApiError('rejected', message)).title).toBe(message);
  expect(metBy(new PaymentsApiError('rejected', message, { status: 400 })).title).toBeUndefined();
});

test('an operator reads the advice where a read failed for good, and else where to look', () => {
  const since = '2026-10-01T00:00:00.000Z';
  const { next } = blockedForGood(metBy(refusedWith('ZPUNP00')), since);
  expect(next).toBe(`${ERROR_TABLE['ZPUNP00']?.advice} Then send the signal \`connectionRestored\`.`);
  expect(blockedForGood({ code: 'grant_refused', providerCodes: [] }, since).next).toMatch(
    /^See the failed activity .*connectionRestored/,
  );
});

test.each(['TypeError', ''])('a failure of the type %j says nothing of what came of the call', (type) => {
  const cause = ApplicationFailure.create({ type });
  const met = callFailureOf(new ActivityFailure('', 'any', '1', RetryState.NON_RETRYABLE_FAILURE, '', cause));
  expect(met.code).toBe('unanswered');
});

test.each([
  [undefined, true],
  ['called', false],
])('a call whose worker went silent with the mark %j had certainly no effect: %s', (mark, isNothingSent) => {
  const cause = new TimeoutFailure('', mark, 'HEARTBEAT');
  const met = callFailureOf(new ActivityFailure('', 'any', '1', RetryState.TIMEOUT, '', cause));
  expect(met).toMatchObject({ code: 'unanswered', isTimedOut: true });
  expect(isWithoutEffect(met)).toBe(isNothingSent);
});

test.each([
  ['queued', undefined, true],
  ['stopped', undefined, true],
  ['rate_limited', 429, true],
  ['unauthorised', 401, true],
  ['client_refused', 401, true],
  ['token_not_read', undefined, true],
  ['token_not_renewed', undefined, true],
  ['not_marked', undefined, true],
  ['withdrawn', undefined, true],
  ['rejected', 302, true],
  ['rejected', 422, false],
  ['conflict', 409, false],
  ['unavailable', 500, false],
  ['unavailable', undefined, false],
  ['malformed', 200, false],
  ['unanswered', undefined, false],
] as const)('%s with the status %s had certainly no effect: %s', (code, status, isNothingSent) => {
  expect(isWithoutEffect({ code, status, providerCodes: [] })).toBe(isNothingSent);
});
