// A start that nothing has checked: the records were away, so another thing may have had its uid before. It continues, is checked once they are back, and
// admits nothing of its own until then (docs/decisions/0037-starts-and-keys.md).
import { raiseFlag } from '../engine/flags.js';
import { rule, type StepRule } from '../engine/step.js';
import type { Instant } from '../../domain/facts/fact.js';
import { goneInWords, type Remembered } from '../../domain/records/remembered.js';
import type { ResourceName } from '../../domain/resources.js';
import type { ResourceState } from './state.js';

export interface CheckStep {
  do: 'check_record';
}

export const checkSteps = ({ isUnchecked }: Pick<ResourceState, 'isUnchecked'>): CheckStep[] =>
  isUnchecked === true ? [{ do: 'check_record' }] : [];

/** Waits for the records. @param identity of the thing of this run. */
export const checkRule = <State extends ResourceState>(
  resource: ResourceName,
  identity: () => string,
): StepRule<State, CheckStep> =>
  rule<State, CheckStep, Remembered | undefined>({
    lane: 'check',
    awaiting: 'nothing',
    run: (_step, read, { call }) => call.readRecord({ resource, uid: read().uid }),
    done: (state, found, { now }) => applyCheck(state, found, { resource, identity: identity(), now }),
  });

/** A row in the state `unknown` was named by events only, so its uid was free. */
export function applyCheck<State extends ResourceState>(
  state: State,
  found: Remembered | undefined,
  { resource, identity, now }: { resource: ResourceName; identity: string; now: Instant },
): State {
  const checked = { ...state, isUnchecked: undefined };
  const isFree =
    found === undefined || (found.is === 'row' && (found.identity === identity || found.state === 'unknown'));
  if (isFree) return checked;
  const first = found.is === 'row' ? `It is ${found.state}.` : goneInWords(`the first ${resource}`, found);
  return raiseFlag({ ...checked, isTaken: true as const }, 'conflict', now, {
    detail: `Another ${resource} had this uid when this one was requested, and the records were away. ${first}`,
    next: `${UNTIL_RESOLVED} ${found.is === 'row' ? 'Its row is in the table `conflicts` of the records. ' : 'Only this run shows it: it gets no row. '}Compare both with the provider, and end this one if it should not exist.`,
  });
}

const UNTIL_RESOLVED =
  'Until this flag is resolved, nothing of this one is sent that was not sent yet, and it takes no payments and no refunds.';

/** Whether the run itself can tell that a uid or a key is new: it has everything since its start. Otherwise only the records can. */
export const decidesAlone = ({
  isUnchecked,
  isLost,
  usesOlder = 0,
}: Pick<ResourceState, 'isUnchecked' | 'isLost' | 'usesOlder'>): boolean =>
  isUnchecked !== true && isLost !== true && usesOlder === 0;
