// What operators ask of an agreement: to look it up again, and to take down a flag that has been settled. Plain JSON and pure.
import { resolutionId } from '../../domain/command-ids.js';
import { lower } from '../../domain/legible.js';
import { repeatOfResolution } from '../../domain/repeat.js';
import { refused } from '../entity/refusal.js';
import { attentionOf } from '../entity/state.js';
import { opened, withSearchAnew } from '../entity/submission.js';
import { withLocalFact } from './commands.js';
import { withRefusal } from './state.js';
import { withStrikesAccepted } from './strikes.js';
import type { Instant } from '../../domain/fact.js';
import type { AttentionResolution, Decision } from '../../domain/resolution.js';
import type { State } from './state.js';

/** @throws ApplicationFailure `agreement_unknown` for what the provider did not know in a whole day. */
export function assertLookable({ submission }: State): void {
  if (submission.stage === 'unknown')
    throw refused('agreement_unknown', 'The provider does not know this agreement.');
}

/**
 * A repeat is always let through, also where the flag no longer stands.
 * @throws ApplicationFailure `no_such_attention`, with the flags that do stand, `decision_needed`, or `resolution_key_conflict`.
 */
export function assertResolvable(state: State, resolution: AttentionResolution): void {
  const repeat = repeatOfResolution(state, resolution);
  if (repeat === 'same') return;
  if (repeat === 'other')
    throw refused('resolution_key_conflict', 'This key was used before, for something else.');
  const { code } = resolution;
  const standing = attentionOf(state).map((flag) => flag.code);
  if (standing.includes(code)) {
    if ((code === 'parked') === (resolution.decision !== undefined)) return;
    throw refused(
      'decision_needed',
      'Expected `decision`, `adopt` or `close`, for the flag `parked`, and for no other.',
      { pointer: '/decision' },
    );
  }
  const found = standing.length === 0 ? 'none' : standing.join(', ');
  throw refused(
    'no_such_attention',
    `Expected one of the flags that stand; met ${code}. There stand: ${found}.`,
  );
}

/**
 * The flag is lowered, what it held back goes on, and who resolved it and why stays in the timeline. A repeat changes nothing:
 * a flag of the same name that was raised since is another one.
 */
export function withResolution(state: State, resolution: AttentionResolution, now: Instant): State {
  if (repeatOfResolution(state, resolution) !== 'none') return state;
  const { key, code, reason, by, decision } = resolution;
  const blocked = state.blocked?.code === code ? undefined : state.blocked;
  const isContested = code === 'conflict' ? undefined : state.isContested;
  const lowered = { ...state, blocked, isContested, attention: lower(state.attention, code) };
  const settled = code === 'strikes' ? withStrikesAccepted(lowered) : lowered;
  const detail = { code, by, ...(decision !== undefined && { decision }) };
  const noted = withLocalFact(settled, resolutionId(key), 'attention_resolved', now, detail, {
    narrative: reason,
  });
  return decision === undefined ? noted : decided(noted, decision, now);
}

/** What is parked goes on: as what the provider has under the uid, which is looked up, or as an end of our own. */
function decided(state: State, decision: Decision, now: Instant): State {
  if (decision === 'close')
    return withRefusal(opened(state), now, {
      code: 'closed',
      title: 'An operator has given it up.',
      next: 'Start another agreement, under another uid, if it is still wanted.',
    });
  if (state.submission.parkedFor === 'absence') return withSearchAnew(state, now);
  return { ...opened(state), adopted: true, isLookUpDue: true };
}
