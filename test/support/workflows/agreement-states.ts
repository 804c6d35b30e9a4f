import { markActionAccepted, acceptRequest } from '../../../workflows/agreement/commands.js';
import { desiredSteps, type AgreementStep } from '../../../workflows/agreement/desired-steps.js';
import { newAgreement, applyFact, type AgreementState } from '../../../workflows/agreement/state.js';
import { STEPS } from '../../../workflows/agreement/steps.js';
import { openQuestions } from '../../../workflows/resource/state.js';
import { AGREEMENT_LIFECYCLE, type AgreementSnapshot } from '../../../domain/agreement/lifecycle.js';
import { aFact } from '../facts.js';
import { A_MANDATE, fetchedAgreement } from './provider.js';
import type { ActionRequest } from '../../../domain/agreement/action.js';
import type { Fact } from '../../../domain/facts/fact.js';
import type { Fetched } from '../../../domain/facts/snapshot.js';

export const NOW = '2026-11-01T00:00:00.000Z';

export const shown = (
  state: AgreementState,
  fetched: Fetched<AgreementSnapshot>,
  requested?: string[],
): AgreementState => STEPS.look_up.done?.(begun(state), { fetched, requested }, AT) ?? state;
const AT = { step: { do: 'look_up', doubts: 0 }, now: NOW } as const;
const begun = (state: AgreementState): AgreementState => STEPS.look_up.begin?.(state, AT) ?? state;

export const outOfPlace = (
  state: AgreementState,
  key: string,
  fetched: Fetched<AgreementSnapshot>,
): AgreementState => {
  const answer = { outcome: 'out_of_place', fetched, code: 'ZPSUS00' };
  const outcome = { answer, asked: openQuestions(AGREEMENT_LIFECYCLE, state) };
  return STEPS.send_command.done?.(state, outcome, { step: { do: 'send_command', key }, now: NOW }) ?? state;
};

export const fresh = newAgreement({ uid: 'agr', connectionId: 'acme', mandate: A_MANDATE }, NOW);
export const created = shown(fresh, { ...fetchedAgreement('agr', 'created'), fetchedAt: NOW });
export const activated = aFact('activated');
export const active = applyFact(created, activated);

export const received = (state: AgreementState, facts: readonly Fact[]): AgreementState =>
  facts.reduce(applyFact, state);
export const some = (count: number, type: string, over: Partial<Fact> = {}): Fact[] =>
  Array.from({ length: count }, () => aFact(type, over));
export const asked = (state: AgreementState, request: ActionRequest): AgreementState =>
  acceptRequest(state, request, NOW);
export const taken = (state: AgreementState, request: ActionRequest): AgreementState =>
  markActionAccepted(asked(state, request), request.key, NOW);
export const next = (state: AgreementState): AgreementStep | undefined => desiredSteps(state)[0];
