// Refuses an update with a code for callers and a sentence for people. Pure.
import { ApplicationFailure } from '@temporalio/common';

/** @param details for callers: `{ pointer? }` names the field. */
export const refused = (code: string, detail: string, ...details: object[]): ApplicationFailure =>
  ApplicationFailure.create({ type: code, message: detail, nonRetryable: true, details });

/** Not a decision: another run has the uid and did not answer in time (delivery/unanswered.ts). */
export const uidUnclear = (uid: string): ApplicationFailure =>
  refused(
    'uid_unclear',
    `A workflow with the uid ${uid} exists and does not answer. Repeat the request later.`,
  );
