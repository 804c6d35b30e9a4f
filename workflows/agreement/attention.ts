// What operators ask of an agreement: to look it up again, and to take down a flag that has been settled (entity/attention.ts). Plain JSON and pure.
import * as entity from '../entity/resource/attention.js';
import { refused } from '../entity/engine/refusal.js';
import { isUidOfAnother, leaveToOther } from '../entity/resource/others.js';
import { markOpen, restartSearch } from '../entity/resource/submission.js';
import { recordRefusal } from './state.js';
import { acceptConsecutiveFailures } from './consecutive-failures.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { AttentionResolution, Decision } from '../../domain/attention/resolution.js';
import type { AgreementState } from './state.js';

/** @throws ApplicationFailure `agreement_unknown` for what the provider did not know in a whole day. */
export function validateLookUp({ submission }: AgreementState): void {
  if (submission.stage === 'unknown')
    throw refused('agreement_unknown', 'The provider does not know this agreement.');
}

/** A repeat changes nothing. Expects what `validateResolution` let through. */
export const resolveFlag = (
  state: AgreementState,
  resolution: AttentionResolution,
  now: Instant,
): AgreementState => {
  const resolved = entity.resolveFlag(state, resolution, now, applyDecision);
  return resolution.code === 'strikes' && resolved !== state ? acceptConsecutiveFailures(resolved) : resolved;
};

/** What is parked goes on: as what the provider has under the uid, which is looked up, or as an end of our own. */
function applyDecision(state: AgreementState, decision: Decision, now: Instant): AgreementState {
  if (decision === 'close') {
    // Nothing that was ever known of the other one is ours.
    const given = isUidOfAnother(state)
      ? { ...leaveToOther(state), start: 'pending' as const, entered: undefined }
      : markOpen(state);
    return recordRefusal(given, now, {
      code: 'closed',
      title: 'An operator has given it up.',
      next: 'Start another agreement, under another uid, if it is still wanted.',
    });
  }
  if (state.submission.parkedFor === 'absence') return restartSearch(state, now);
  return { ...markOpen(state), adopted: true, isLookUpDue: true };
}
