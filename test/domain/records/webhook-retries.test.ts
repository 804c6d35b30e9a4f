import { expect, test } from 'vitest';
import { GIVES_UP_AFTER_MS, nextAttemptAt, webhookPauseMs } from '../../../domain/records/webhook-retries.js';

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
