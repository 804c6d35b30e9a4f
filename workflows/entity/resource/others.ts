// Of a uid that another thing has at the provider: what is said of that one says nothing of ours. Plain JSON and pure.
import { storeFact } from './state.js';
import { markOpen, openByFact } from './submission.js';
import type { Fact } from '../../../domain/facts/fact.js';
import type { ResourceState } from './state.js';

/** Whether the uid is known to hold another thing at the provider: then nothing that is received about it says anything of ours. */
export const isUidOfAnother = ({
  isAnothers,
  submission,
}: Pick<ResourceState<string>, 'isAnothers' | 'submission'>): boolean =>
  isAnothers === true || submission.parkedFor === 'difference';

/** A look-up becomes due; one that is running already is followed by another. None is made of what is another's. */
export const requestLookUp = <State extends ResourceState<string>>(state: State): State =>
  isUidOfAnother(state) ? state : { ...state, isLookUpDue: true };

/** It was asked for here, and only events say that the provider has it: the answer to what is asked or sent next may yet show another's. */
export const isUnproven = ({
  adopted,
  isProven,
  facts,
}: Pick<ResourceState<string>, 'isProven' | 'facts'> & { adopted?: boolean | undefined }): boolean =>
  adopted !== true &&
  isProven !== true &&
  facts.some(({ source, authenticated }) => source === 'webhook' && authenticated);

/** An event says that the provider has it. What the provider has never shown to be ours, it is asked for. */
export function openByNews<State extends ResourceState<string>>(state: State): State {
  const open = openByFact(state);
  return isUnproven(open) && open.submission.stage === 'open' ? { ...open, isLookUpDue: true } : open;
}

/** It is kept, and says nothing of ours. The very same state where it was known. */
export const recordOthersFact = <State extends ResourceState<string>>(state: State, fact: Fact): State =>
  storeFact(state, { ...fact, authenticated: false, isChecked: true });

/** What the provider has said until now was about the other thing: it is kept, and says nothing of ours. */
export function disownFacts<State extends ResourceState<string> & { failure?: unknown }>(
  state: State,
): State {
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

/** Ours is given up, and the uid stays the other's: nothing is looked up any more. Its end is noted after this. */
export function leaveToOther<State extends ResourceState<string>>(state: State): State {
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
