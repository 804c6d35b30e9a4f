import { MockActivityEnvironment } from '@temporalio/testing';
import { describe, expect, test } from 'vitest';
import { inAttempts } from '../../../activities/attempts/resumable.js';
import { PaymentsApiError } from '../../../payments-api/errors.js';
import type { PaymentsApiErrorCode } from '../../../domain/provider/call-codes.js';

interface Progress {
  pages: number;
  refusals?: number | undefined;
}

async function ends(...failures: (PaymentsApiErrorCode | undefined)[]): Promise<unknown[]> {
  let left: Progress = { pages: 0 };
  const seen: unknown[] = [];
  for (const failure of failures) {
    const at = { progress: left };
    const environment = new MockActivityEnvironment();
    environment.on('heartbeat', (details: unknown) => void (left = details as Progress));
    const read = () => {
      at.progress = { ...at.progress, pages: at.progress.pages + 1 };
      if (failure !== undefined) throw new PaymentsApiError(failure, 'not given');
      return Promise.resolve({ pages: at.progress.pages });
    };
    const long = {
      ...{ at, read, carried: () => at.progress, now: () => 0 },
      afterRefusal: (progress: Progress) => ({ ...progress, pages: 0 }),
      stopped: (stopped: string) => ({ pages: at.progress.pages, stopped }),
    };
    const attempt = environment.run(() => inAttempts(long));
    seen.push(await attempt.catch((error: unknown): unknown => Reflect.get(Object(error) as object, 'type')));
  }
  return seen;
}
const endedAt = new Date(0).toISOString();

describe('resumable read', () => {
  test('resumes from its last progress after an interruption', async () => {
    expect(await ends('unavailable', 'unavailable', undefined)).toEqual([
      'unavailable',
      'unavailable',
      { pages: 3, endedAt },
    ]);
  });

  test.each(['rejected', 'not_found', 'malformed'] as const)(
    'restarts after the refusal %s and ends at the third',
    async (code) => {
      expect(await ends(code, 'unavailable', code, code)).toEqual([
        code,
        'unavailable',
        code,
        { pages: 1, stopped: 'refused', endedAt },
      ]);
    },
  );

  test('ends immediately if only a person can fix the failure', async () => {
    expect(await ends('forbidden')).toEqual([{ pages: 1, stopped: 'forbidden', endedAt }]);
  });
});
