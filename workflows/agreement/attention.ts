// What operators request of an agreement: a look-up, or the resolution of a flag (resource/attention.ts). Plain JSON and pure.
import * as entity from '../resource/attention.js';
import { leaveToOther } from '../resource/others.js';
import { isUidOfAnother, markOpen, restartSearch } from '../resource/submission/state.js';
import { applyRefusal, type AgreementState } from './state.js';
import { acceptConsecutiveFailures } from './consecutive-failures.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { AttentionResolution, Decision } from '../../domain/attention/resolution.js';

/** Resolves a flag that `validateResolution` accepted. A repeat changes nothing. */
export const resolveFlag = (
  state: AgreementState,
  resolution: AttentionResolution,
  now: Instant,
): AgreementState => {
  const resolved = entity.resolveFlag(state, resolution, now, applyDecision);
  return resolution.code === 'consecutive_failures' && resolved !== state
    ? acceptConsecutiveFailures(resolved)
    : resolved;
};

/** Resolves a parked submission: `adopt` looks up what the provider has under the uid, `close` records an end of our own. */
function applyDecision(state: AgreementState, decision: Decision, now: Instant): AgreementState {
  if (decision === 'close') {
    // Nothing known about the other agreement applies to ours.
    const given = isUidOfAnother(state)
      ? { ...leaveToOther(state), start: 'pending' as const, entered: undefined }
      : markOpen(state);
    return applyRefusal(given, now, {
      code: 'closed',
      title: 'An operator gave it up.',
      next: 'If it is still needed, create an agreement under another uid.',
    });
  }
  if (state.submission.parkedFor === 'absence') return restartSearch(state, now);
  return { ...markOpen(state), adopted: true, isLookUpDue: true };
}
