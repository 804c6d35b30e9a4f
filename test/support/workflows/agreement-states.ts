import { markActionAccepted, acceptRequest } from '../../../workflows/agreement/commands.js';
import { desiredSteps, type AgreementStep } from '../../../workflows/agreement/desired-steps.js';
import { newAgreement, applyFact, type AgreementState } from '../../../workflows/agreement/state.js';
import { STEPS } from '../../../workflows/agreement/steps.js';
import { openQuestions } from '../../../workflows/resource/state.js';
import { AGREEMENT_LIFECYCLE, type AgreementSnapshot } from '../../../domain/agreement/lifecycle.js';
import { aFact } from '../facts.js';
import { A_MANDATE, fetchedAgreement, anOrder } from './provider.js';
import type { ActionRequest } from '../../../domain/agreement/action.js';
import type { Fact } from '../../../domain/facts/fact.js';
import type { Fetched } from '../../../domain/facts/snapshot.js';
import type { PaymentOrder } from '../../../domain/agreement/mandate.js';

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

export const callers = (length: number): string => '"'.repeat(length);
export const providers = (length: number): string => '支'.repeat(length);
export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Created once, because the tests hash and measure thousands of large facts. */
const NARRATIVE = providers(20_000);
const TEXT = providers(5_000);
const DUMP = providers(10_000);
export const largeFact = (index: number, over: Partial<Fact> = {}): Fact => ({
  ...aFact('cancellation_failed'),
  reason: { code: 'R', narrative: NARRATIVE },
  detail: { amount: 4200 + index, uid: `p${index}`, failure: { code: 'F', text: TEXT }, dump: DUMP },
  ...over,
});

export const NEW_CREDITOR = {
  party_name: callers(140),
  ultimate_party_name: callers(140),
  account_identifier: { type: 'bban' as const, value: callers(256) },
};
export const PARTY = { ...NEW_CREDITOR, payment_account_uid: callers(64) };
export const METADATA = { m: callers(1020) };
export const LARGEST_ORDER: PaymentOrder = {
  ...anOrder(callers(64)),
  reference: callers(35),
  description: callers(280),
  creditor_reference: callers(35),
  creditor: PARTY,
  metadata: METADATA,
};

export const floodOf = (count: number, type: string): Fact[] => {
  const { publishedAt } = aFact('x');
  return times(count, (index) =>
    largeFact(index, {
      id: `${index}`.padStart(4, '0') + providers(96),
      type: index % 2 === 0 ? type : providers(100),
      causedBy: providers(100),
      authenticated: index % 3 !== 0,
      publishedAt,
    }),
  );
};
