// Another attempt of a call that may be made once, because an operator paused or reset its activity in Temporal's UI. The product's own
// rule decides in the attempt's context.
import { asyncLocalStorage, type Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { callCodeOf } from '../../domain/provider/call-codes.js';
import type { requireOnlyAttempt } from '../../activities/attempts/only.js';
import type { CallFailure } from '../../workflows/engine/call-failure.js';

export interface Interruption {
  by: 'pause' | 'reset';
  /** The attempt ends without an answer. Otherwise its call goes on, and its answer counts if it is clear. */
  isCut: boolean;
  /** The time until the next attempt starts. */
  resumesMs: number;
}

/** How the next attempt ends without a call; undefined if the rule lets it call. */
export function failureOfLater(
  rule: typeof requireOnlyAttempt,
  { by }: Interruption,
  isMarked: boolean,
): CallFailure | undefined {
  const isReset = by === 'reset';
  const info = {
    attempt: isReset ? 1 : 2,
    scheduledTimestampMs: 0,
    currentAttemptScheduledTimestampMs: isReset ? 1 : 0,
    heartbeatDetails: isMarked && !isReset ? 'called' : undefined,
  };
  try {
    asyncLocalStorage.run({ info } as Context, rule);
    return undefined;
  } catch (error) {
    if (!(error instanceof ApplicationFailure)) throw error;
    return { code: callCodeOf(error.type), providerCodes: [] };
  } finally {
    // Otherwise Node tracks each later promise of the process.
    asyncLocalStorage.disable();
  }
}
