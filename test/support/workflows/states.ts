// What agreements keep, for tests that begin in the middle of a life.
import { STEPS } from '../../../workflows/agreement/steps.js';
import { fetchedAgreement } from './provider.js';
import type { State } from '../../../workflows/agreement/state.js';

/** The state once the provider has answered its creation with an agreement that stands so. */
export function createdAs(before: State, state: string): State {
  const fetched = fetchedAgreement(before.uid, state);
  const at = { step: { do: 'submit' }, now: fetched.fetchedAt } as const;
  return STEPS.submit.done?.(before, fetched, at) ?? before;
}
