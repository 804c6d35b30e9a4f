// What operators ask of an agreement: to look it up again, and to take down a flag that has been settled (entity/attention.ts). Plain JSON and pure.
import * as entity from '../entity/resource/attention.js';
import { refused } from '../entity/engine/refusal.js';
import { markOpen, restartSearch } from '../entity/resource/submission.js';
import { withRefusal } from './state.js';
import { withStrikesAccepted } from './consecutive-failures.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { AttentionResolution, Decision } from '../../domain/attention/resolution.js';
import type { State } from './state.js';

/** @throws ApplicationFailure `agreement_unknown` for what the provider did not know in a whole day. */
export function assertLookable({ submission }: State): void {
  if (submission.stage === 'unknown')
    throw refused('agreement_unknown', 'The provider does not know this agreement.');
}

export const withResolution = (state: State, resolution: AttentionResolution, now: Instant): State => {
  const resolved = entity.resolveFlag(state, resolution, now, decided);
  return resolution.code === 'strikes' && resolved !== state ? withStrikesAccepted(resolved) : resolved;
};

/** What is parked goes on: as what the provider has under the uid, which is looked up, or as an end of our own. */
function decided(state: State, decision: Decision, now: Instant): State {
  if (decision === 'close')
    return withRefusal(markOpen(state), now, {
      code: 'closed',
      title: 'An operator has given it up.',
      next: 'Start another agreement, under another uid, if it is still wanted.',
    });
  if (state.submission.parkedFor === 'absence') return restartSearch(state, now);
  return { ...markOpen(state), adopted: true, isLookUpDue: true };
}
