// How operators resolve attention flags of a resource. Plain JSON and pure.
import { resolutionId } from '../../domain/commands/ids.js';
import { lower } from '../../domain/attention/flags.js';
import { applyUse, repeatOfUse } from '../../domain/commands/key-use.js';
import {
  useOfResolution,
  type AttentionResolution,
  type Decision,
} from '../../domain/attention/resolution.js';
import { refused } from '../engine/refusal.js';
import { leaveToOther } from './others.js';
import { isUidOfAnother, markOpen, restartSearch } from './submission/state.js';
import { afterAllFacts, attentionOf, storeFact, type ResourceState } from './state.js';
import type { Fact, Instant, Reason } from '../../domain/facts/fact.js';
import type { Refusal } from '../../domain/facts/snapshot.js';

/**
 * Always accepts a repeat, even if the flag is no longer raised.
 * @throws ApplicationFailure `no_such_attention`, which lists the raised flags, `decision_needed`, or `resolution_key_conflict`.
 */
export function validateResolution(state: ResourceState, resolution: AttentionResolution): void {
  const repeat = repeatOfUse(state, useOfResolution(state.uid, resolution));
  if (repeat === 'same') return;
  if (repeat === 'other')
    throw refused(
      'resolution_key_conflict',
      'This key was already used for a different request. Use a new key.',
    );
  const { code, since } = resolution;
  const flags = attentionOf(state);
  const raised = flags.map((flag) => flag.code);
  const again = flags.find((flag) => flag.code === code && since !== undefined && flag.since !== since);
  if (again !== undefined)
    throw refused('no_such_attention', `The flag ${code} was raised again at ${again.since}. Read it first.`);
  if (raised.includes(code)) {
    if ((code === 'parked') === (resolution.decision !== undefined)) return;
    throw refused(
      'decision_needed',
      'The flag `parked` requires a `decision`: `adopt` or `close`. No other flag accepts one.',
      { pointer: '/decision' },
    );
  }
  const found = raised.length === 0 ? 'none' : raised.join(', ');
  throw refused(
    'no_such_attention',
    `The flag ${code} is not raised, so it cannot be resolved. Raised flags: ${found}.`,
  );
}

/**
 * Lowers the flag, unblocks the workflow if this flag blocked it, and records in the timeline who resolved it and why. A repeat changes nothing: a
 * flag that was raised again since then is a new one.
 * @param decided applies the operator's decision on a parked submission.
 */
export function resolveFlag<State extends ResourceState>(
  state: State,
  resolution: AttentionResolution,
  now: Instant,
  decided: (state: State, decision: Decision, now: Instant) => State,
): State {
  const use = useOfResolution(state.uid, resolution);
  if (repeatOfUse(state, use) !== 'none') return state;
  const { key, code, reason, by, decision, clientId } = resolution;
  const blocked = state.blocked?.code === code ? undefined : state.blocked;
  const doubts = code === 'conflict' ? { isContested: undefined, isTaken: undefined } : {};
  const settled = applyUse({ ...state, ...doubts, blocked, attention: lower(state.attention, code) }, use);
  const detail = {
    code,
    by,
    ...(decision !== undefined && { decision }),
    ...(clientId !== undefined && { client_id: clientId }),
  };
  const noted = applyLocalFact(settled, resolutionId(key), 'attention_resolved', now, detail, {
    narrative: reason,
  });
  return decision === undefined ? noted : decided(noted, decision, now);
}

/** Records our own fact that ends a resource, the last unless the provider reports otherwise. @param verb the action, for the fact's id. */
export const applyEnd = <State extends ResourceState>(
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

/** Records a fact of our own. It sorts after all known facts, whatever the difference between our clock and the provider's. */
export const applyLocalFact = <State extends ResourceState>(
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

/** How a kind of resource records its own end, and what it says of one whose outcome is unknown. */
interface GivingUp<State> {
  noun: string;
  applyOwnEnd: (
    state: State,
    now: Instant,
    end: Pick<Fact, 'type' | 'causedBy'> & { verb: string },
    reason: Refusal,
  ) => State;
  /** The participle for one that the provider has carried out. */
  made: string;
}

/**
 * Resolves a parked submission. If the uid holds another resource, `adopt` follows that one, and `close` records that ours was never sent. If
 * the outcome is unknown, `adopt` searches again, and `close` gives up, although it may have been carried out.
 */
export const decideParked =
  <State extends ResourceState & { adopted?: true | undefined }>({
    noun,
    applyOwnEnd,
    made,
  }: GivingUp<State>) =>
  (state: State, decision: Decision, now: Instant): State => {
    const isAnothers = isUidOfAnother(state);
    if (decision === 'adopt')
      return isAnothers
        ? { ...markOpen(state), adopted: true, isLookUpDue: true }
        : restartSearch(state, now);
    if (isAnothers)
      return applyOwnEnd(
        leaveToOther(state),
        now,
        { verb: 'close', type: 'refused', causedBy: 'initiator' },
        {
          code: 'closed',
          title: `Given up by an operator: the provider has another ${noun} under this uid.`,
          next: `If the ${noun} is still needed, request it under another uid.`,
        },
      );
    const end = { verb: 'give-up', type: 'unresolved', causedBy: 'initiator' };
    return markOpen(
      applyOwnEnd(state, now, end, {
        code: 'unresolved',
        title: `Given up by an operator: the outcome is unknown and the ${noun} may have been made.`,
        next: `Treat it as ${made} until the provider reports otherwise, and do not request it under another uid before that. An event from the provider reopens it.`,
      }),
    );
  };
