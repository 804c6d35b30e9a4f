// How an update is refused: by a code that callers match on, and a sentence that says what was expected. Pure.
import { ApplicationFailure } from '@temporalio/common';

/** @param details for callers: `{ pointer? }` names the field. */
export const refused = (code: string, detail: string, ...details: object[]): ApplicationFailure =>
  ApplicationFailure.create({ type: code, message: detail, nonRetryable: true, details });
