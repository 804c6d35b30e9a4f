import { isFinal } from '../../domain/agreement/lifecycle.js';
import { stateOf, type AgreementState } from '../../workflows/agreement/state.js';
import { stateOf as paymentStateOf } from '../../workflows/payment/state.js';
import { SHIPPED, type Rules } from './rules.js';
import type { Fetched, ResourceSnapshot } from '../../domain/facts/snapshot.js';

type Answer = Fetched<ResourceSnapshot>;

const showing = (fetched: Answer, state: string): Answer => ({
  ...fetched,
  snapshot: { ...fetched.snapshot, state },
});

const lookedUp = (outcome: unknown) => outcome as { fetched: Answer; requested: string[] };

function withAgreementSeenAs(seenBy: (state: AgreementState, fetched: Answer) => Answer): Rules {
  const { agreement } = SHIPPED;
  const { look_up: lookUp } = agreement.rules;
  const done: typeof lookUp.done = (state, outcome, at) => {
    const { fetched, requested } = lookedUp(outcome);
    return lookUp.done?.(state, { fetched: seenBy(state, fetched), requested }, at) ?? state;
  };
  return {
    ...SHIPPED,
    agreement: { ...agreement, rules: { ...agreement.rules, look_up: { ...lookUp, done } } },
  };
}

export const withLowerRankAgreeing = (): Rules =>
  withAgreementSeenAs((state, fetched) =>
    isFinal(stateOf(state)) ? showing(fetched, stateOf(state)) : fetched,
  );

export const withSuspensionUnseen = (): Rules =>
  withAgreementSeenAs((state, fetched) =>
    fetched.snapshot.state === 'suspended' && stateOf(state) === 'active'
      ? { ...showing(fetched, 'active'), history: [] }
      : fetched,
  );

export function withOtherEndUnseen(): Rules {
  const { payment } = SHIPPED;
  const { look_up: lookUp } = payment.rules;
  const done: typeof lookUp.done = (state, outcome, at) => {
    const { fetched, requested } = lookedUp(outcome);
    const unseen = paymentStateOf(state) === 'settled' ? showing(fetched, 'settled') : fetched;
    return lookUp.done?.(state, { fetched: unseen, requested }, at) ?? state;
  };
  return { ...SHIPPED, payment: { ...payment, rules: { ...payment.rules, look_up: { ...lookUp, done } } } };
}
