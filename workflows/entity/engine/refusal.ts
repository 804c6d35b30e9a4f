// Refuses an update with a code for callers and a sentence for people. Pure.
import { ApplicationFailure } from '@temporalio/common';

/** @param details for callers: `{ pointer? }` names the field. */
export const refused = (code: string, detail: string, ...details: object[]): ApplicationFailure =>
  ApplicationFailure.create({ type: code, message: detail, nonRetryable: true, details });
