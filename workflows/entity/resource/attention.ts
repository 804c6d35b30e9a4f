// What operators ask of anything that is followed: to take down a flag that has been settled. Plain JSON and pure.
import { resolutionId } from '../../../domain/commands/ids.js';
import { lower } from '../../../domain/attention/flags.js';
import { recordUse, repeatOfUse } from '../../../domain/commands/key-use.js';
import { useOfResolution } from '../../../domain/attention/resolution.js';
import { refused } from '../engine/refusal.js';
import { afterAllFacts, attentionOf, storeFact } from './state.js';
import type { Fact, Instant, Reason } from '../../../domain/facts/fact.js';
import type { Refusal } from '../../../domain/facts/snapshot.js';
import type { AttentionResolution, Decision } from '../../../domain/attention/resolution.js';
import type { ResourceState } from './state.js';

/**
 * A repeat is always let through, also where the flag no longer stands.
 * @throws ApplicationFailure `no_such_attention`, with the flags that do stand, `decision_needed`, or `resolution_key_conflict`.
 */
export function validateResolution(state: ResourceState<string>, resolution: AttentionResolution): void {
  const repeat = repeatOfUse(state, useOfResolution(state.uid, resolution));
  if (repeat === 'same') return;
  if (repeat === 'other')
    throw refused('resolution_key_conflict', 'This key was used before, for something else.');
  const { code } = resolution;
  const raised = attentionOf(state).map((flag) => flag.code);
  if (raised.includes(code)) {
    if ((code === 'parked') === (resolution.decision !== undefined)) return;
    throw refused(
      'decision_needed',
      'Expected `decision`, `adopt` or `close`, for the flag `parked`, and for no other.',
      { pointer: '/decision' },
    );
  }
  const found = raised.length === 0 ? 'none' : raised.join(', ');
  throw refused(
    'no_such_attention',
    `Expected one of the flags that stand; met ${code}. There stand: ${found}.`,
  );
}

/**
 * The flag is lowered, what it kept back goes on, and who resolved it and why stays in the timeline. A repeat changes nothing:
 * a flag of the same name that was raised since is another one.
 * @param decided what becomes of what is parked.
 */
export function resolveFlag<State extends ResourceState<string>>(
  state: State,
  resolution: AttentionResolution,
  now: Instant,
  decided: (state: State, decision: Decision, now: Instant) => State,
): State {
  const use = useOfResolution(state.uid, resolution);
  if (repeatOfUse(state, use) !== 'none') return state;
  const { key, code, reason, by, decision, clientId } = resolution;
  const blocked = state.blocked?.code === code ? undefined : state.blocked;
  const isContested = code === 'conflict' ? undefined : state.isContested;
  const settled = recordUse({ ...state, blocked, isContested, attention: lower(state.attention, code) }, use);
  const detail = {
    code,
    by,
    ...(decision !== undefined && { decision }),
    ...(clientId !== undefined && { client_id: clientId }),
  };
  const noted = recordLocalFact(settled, resolutionId(key), 'attention_resolved', now, detail, {
    narrative: reason,
  });
  return decision === undefined ? noted : decided(noted, decision, now);
}

/** A fact of our own that ends a thing: the last one unless the provider says otherwise. @param verb what was done, for its id. */
export const recordEnd = <State extends ResourceState<string>>(
  state: State,
  now: Instant,
  { verb, ...fact }: Pick<Fact, 'type' | 'causedBy'> & { verb: string },
  reason: Refusal,
): State =>
  storeFact(state, {
    ...fact,
    id: `command/${verb}/${state.uid}`,
    publishedAt: afterAllFacts(state, now),
    receivedAt: now,
    source: 'command',
    authenticated: true,
    reason,
  });

/** A fact of our own doing. It stands after all that was known, whatever our clock says of the provider's. */
export const recordLocalFact = <State extends ResourceState<string>>(
  state: State,
  id: string,
  type:
    | 'requested'
    | 'refused'
    | 'attention_resolved'
    | 'retried'
    | 'unresolved'
    | 'unanswered'
    | 'planned'
    | 'plan_ended',
  now: Instant,
  detail: NonNullable<Fact['detail']>,
  reason?: Reason,
): State =>
  storeFact(state, {
    id,
    type,
    publishedAt: afterAllFacts(state, now),
    receivedAt: now,
    source: 'command',
    authenticated: true,
    causedBy: 'initiator',
    detail,
    reason,
  });
