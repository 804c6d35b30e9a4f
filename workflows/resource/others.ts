// Handles a uid under which the provider has a resource that is not ours. Facts about that one do not apply to ours. Plain JSON and pure.
import { storeFact, withoutForeignAuthority, type ResourceState } from './state.js';
import { isUidOfAnother, markOpen, openByFact } from './submission/state.js';
import type { Fact } from '../../domain/facts/fact.js';

/** Makes a look-up due. If one is running, another one follows. Does nothing if the uid belongs to another resource. */
export const requestLookUp = <State extends ResourceState>(state: State): State =>
  isUidOfAnother(state) ? state : { ...state, isLookUpDue: true };

/**
 * True if we created the resource and only events, no snapshot, show that the provider has it. The answer to the next look-up or submission may still
 * show another resource.
 */
export const isUnproven = ({
  adopted,
  isProven,
  facts,
}: Pick<ResourceState, 'isProven' | 'facts'> & { adopted?: boolean | undefined }): boolean =>
  adopted !== true &&
  isProven !== true &&
  facts.some(({ source, authenticated }) => source === 'webhook' && authenticated);

/** An event shows that the provider has it. If no snapshot has shown it to be ours, a look-up becomes due. */
export function openByNews<State extends ResourceState>(state: State): State {
  const open = openByFact(state);
  return isUnproven(open) && open.submission.stage === 'open' ? { ...open, isLookUpDue: true } : open;
}

/** Stores a fact about the other resource, which does not change ours. Returns the same state if the fact is known. */
export const applyOthersFact = <State extends ResourceState>(state: State, fact: Fact): State =>
  storeFact(state, { ...fact, authenticated: false, isChecked: true });

/** Stores a fact that has arrived. Returns the same state if it is known. @param noted what a new fact of our resource changes besides. */
export function receiveFact<State extends ResourceState>(
  state: State,
  arrived: Fact,
  noted: (stored: State, fact: Fact) => State,
): State {
  if (isUidOfAnother(state)) return applyOthersFact(state, arrived);
  const fact = withoutForeignAuthority(state, arrived);
  const stored = storeFact(state, fact);
  return stored.facts === state.facts ? stored : noted(stored, fact);
}

/** Everything the provider has reported was about the other resource. These facts stay stored but no longer count for ours. */
export function disownFacts<State extends ResourceState & { failure?: unknown }>(state: State): State {
  const isOurs = ({ source }: Fact): boolean => source === 'command';
  if (state.facts.every(isOurs)) return state;
  return {
    ...state,
    failure: undefined,
    facts: state.facts.map((fact) =>
      isOurs(fact) ? fact : { ...fact, authenticated: false, isChecked: true },
    ),
  };
}

/** Gives our resource up and leaves the uid to the other one. We stop looking it up. The caller then records the end. */
export function leaveToOther<State extends ResourceState>(state: State): State {
  const open = markOpen(disownFacts(state));
  return {
    ...open,
    submission: { ...open.submission, again: undefined },
    isAnothers: true,
    isLookUpDue: false,
    isDoubtful: undefined,
    doubts: 0,
  };
}
