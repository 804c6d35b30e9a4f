import { expect, test } from 'vitest';
import { EVENT_TYPE_NAMES, eventTypeOf } from '../../../domain/records/event-types.js';
import { RESOURCE_NAMES, type ResourceName } from '../../../domain/resources.js';
import { GIVES_UP_AFTER_MS, nextAttemptAt, webhookPauseMs } from '../../../domain/records/webhook-retries.js';
import { carriedWithFlag, otherUnderUid, withFlag } from '../../../domain/records/conflict.js';

const state = (resource: ResourceName, name: string, from?: string, data: object = {}) =>
  eventTypeOf(resource, { kind: 'state', name, data: { from, ...data } });

test.each<[ResourceName, string | undefined, string, string | undefined]>([
  ['agreement', undefined, 'pending', 'agreement.created'],
  ['agreement', 'pending', 'created', 'agreement.updated'],
  ['agreement', 'created', 'active', 'agreement.active'],
  ['agreement', 'suspended', 'active', 'agreement.reactivated'],
  ['agreement', 'active', 'a_new_state', 'agreement.updated'],
  ['agreement', 'unknown', 'pending', undefined],
  ['payment', undefined, 'requested', 'payment.requested'],
  ['payment', 'requested', 'created', 'payment.submitted'],
  ['payment', 'created', 'submitting', 'payment.updated'],
  ['payment', 'requested', 'settled', 'payment.settled'],
  ['payment', 'unknown', 'pending', 'payment.submitted'],
  ['payment', 'retrying', 'pending', 'payment.submitted'],
  ['refund', 'requested', 'processing', 'refund.submitted'],
  ['connection', undefined, 'awaiting_consent', 'connection.created'],
  ['connection', 'healthy', 'needs_reauthorisation', 'connection.needs_reauthorisation'],
  ['onboarding', 'stopped', 'under_way', 'onboarding.resumed'],
  ['batch', 'running', 'done', 'batch.completed'],
  ['unmatched-credit', 'open', 'matched', 'credit.decided'],
  ['stop', undefined, 'clear', undefined],
  ['stop', 'stopped', 'clear', 'stop.cleared'],
  ['float-account', undefined, 'reading', undefined],
])('%s from %s to %s: %s', (resource, from, to, type) => {
  expect(state(resource, to, from)).toBe(type);
});

test('what only events of the provider have named is no event until it is followed', () => {
  expect(state('payment', 'requested', undefined, { isVacant: true })).toBeUndefined();
  expect(state('payment', 'unknown', 'requested', { isVacant: true })).toBeUndefined();
  expect(eventTypeOf('payment', { kind: 'decision', name: 'followed', data: {} })).toBe('payment.requested');
});

test('flags are raised and resolved, and only authenticated facts of an amendment are events', () => {
  const flag = (isRaised: boolean) =>
    eventTypeOf('batch', { kind: 'attention', name: 'plan', data: { isRaised } });
  expect([flag(true), flag(false)]).toEqual(['attention.raised', 'attention.resolved']);
  const declined = (authenticated: boolean) =>
    eventTypeOf('agreement', { kind: 'fact', name: 'amendment_declined', data: { authenticated } });
  expect([declined(true), declined(false)]).toEqual(['agreement.amendment_declined', undefined]);
});

test('every resource with states has types of its own', () => {
  const groups = new Set(EVENT_TYPE_NAMES.map((type) => type.slice(0, type.indexOf('.'))));
  const without = RESOURCE_NAMES.filter((name) => !groups.has(name.replaceAll('-', '_')));
  expect(without).toEqual(['float-account', 'unmatched-credit']);
});

const minutes = (attempts: number, random = 0.5) => webhookPauseMs(attempts, random) / 60_000;

test('pauses grow from 5 s to 12 h, and vary by a tenth', () => {
  const pauses = Array.from({ length: 10 }, (_, failures) => minutes(failures + 1));
  expect(pauses).toEqual([5 / 60, 0.5, 2, 10, 60, 180, 360, 720, 720, 720]);
  expect([minutes(4, 0), minutes(4, 1)]).toEqual([9, 11]);
});

test('the last attempt is made after exactly three days', () => {
  const at = (now: number) => nextAttemptAt({ attempts: 9, since: 0 }, { now, random: 0.5 }) / 3_600_000;
  expect([at(0), at(GIVES_UP_AFTER_MS - 1), at(GIVES_UP_AFTER_MS)]).toEqual([12, 72, 84]);
});

const flag = otherUnderUid('unmatched-credit', '2026-11-01T02:03:04.000Z');

test('the flag is added to a view of any form, and to the state that a later run needs', () => {
  expect(flag.detail).toMatch(/^Another unmatched credit was/);
  for (const view of [{}, [], 7, null, { attention: 'none' }])
    expect(withFlag(view, flag).attention).toEqual([flag]);
  const own = { ...flag, detail: 'Events disagree.' };
  expect(withFlag({ attention: [own] }, flag)).toEqual({ attention: [own] });
  expect(carriedWithFlag({ shape: 1, state: { is: 'x' } }, flag)).toEqual({
    shape: 1,
    state: { is: 'x', attention: [flag] },
  });
  expect(carriedWithFlag({ shape: 1 }, flag)).toEqual({ shape: 1 });
});
