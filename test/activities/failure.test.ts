import { ActivityFailure, ApplicationFailure, RetryState, TimeoutFailure } from '@temporalio/common';
import { expect, test } from 'vitest';
import { writeFailure } from '../../activities/failure.js';
import { MEANINGS } from '../../domain/provider/error-meaning.js';
import { ERROR_TABLE } from '../../payments-api/error-table.js';
import { PaymentsApiError } from '../../payments-api/errors.js';
import { blockedForGood } from '../../workflows/resource/blocked.js';
import { callFailureOf, isWithoutEffect, type CallFailure } from '../../workflows/engine/call-failure.js';

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

test.each(Object.entries(ERROR_TABLE))('the failure %s carries its meaning and advice', (code, row) => {
  expect(metBy(refusedWith(code))).toMatchObject({
    code: 'rejected',
    providerCodes: [code],
    title: 'A title',
    ...row,
  });
});

test('every meaning is used by a known code or by unknown codes', () => {
  const met = new Set(
    [...Object.values(ERROR_TABLE), metBy(refusedWith('ZPPAY99'))].map(({ means }) => means),
  );
  expect([...met].sort()).toEqual([...MEANINGS].sort());
});

test.each([true, undefined])('a 403 carries its missing scope flag: %s', (lacksScope) => {
  const met = metBy(new PaymentsApiError('forbidden', 'no', { status: 403, lacksScope }));
  expect(met).toMatchObject({ code: 'forbidden', status: 403, lacksScope });
});

test('an unrecognised code has no meaning and no advice', () => {
  expect(metBy(refusedWith('XYZ1'))).toMatchObject({ means: undefined, advice: undefined });
});

test('a meaning unknown to this release is omitted', () => {
  const cause = ApplicationFailure.create({ type: 'rejected', details: [{ means: 'of_tomorrow' }] });
  const failure = new ActivityFailure('', 'any', '1', RetryState.NON_RETRYABLE_FAILURE, '', cause);
  expect(callFailureOf(failure).means).toBeUndefined();
});

test('a refusal by our own validation keeps its message as the title', () => {
  const message = 'createAgreement: expected a request as documented; found faults in description (custom)';
  expect(metBy(new PaymentsApiError('rejected', message)).title).toBe(message);
  expect(metBy(new PaymentsApiError('rejected', message, { status: 400 })).title).toBeUndefined();
});

test('a permanently failed read shows the advice, or else refers to the failed activity', () => {
  const since = '2026-10-01T00:00:00.000Z';
  const { next } = blockedForGood(metBy(refusedWith('ZPUNP00')), since);
  expect(next).toBe(`${ERROR_TABLE['ZPUNP00']?.advice} Then send the signal \`connectionRestored\`.`);
  expect(blockedForGood({ code: 'grant_refused', providerCodes: [] }, since).next).toMatch(
    /^Find the failed activity .*connectionRestored/,
  );
});

test.each(['TypeError', ''])('a failure of type %j leaves the outcome of the call unknown', (type) => {
  const cause = ApplicationFailure.create({ type });
  const met = callFailureOf(new ActivityFailure('', 'any', '1', RetryState.NON_RETRYABLE_FAILURE, '', cause));
  expect(met.code).toBe('unanswered');
});

test.each([
  [undefined, true],
  ['called', false],
])('a heartbeat timeout with the mark %j proves that nothing was sent: %s', (mark, isNothingSent) => {
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
  ['token_not_refreshed', undefined, true],
  ['not_marked', undefined, true],
  ['withdrawn', undefined, true],
  ['rejected', 302, true],
  ['rejected', 422, false],
  ['conflict', 409, false],
  ['unavailable', 500, false],
  ['unavailable', undefined, false],
  ['malformed', 200, false],
  ['unanswered', undefined, false],
] as const)('%s with status %s proves that the call had no effect: %s', (code, status, isNothingSent) => {
  expect(isWithoutEffect({ code, status, providerCodes: [] })).toBe(isNothingSent);
});
