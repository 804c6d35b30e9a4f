// What the terms of an agreement are judged by. Plain JSON and pure.
import { AGREEMENT_LIFECYCLE, isAuthorityInDoubt } from '../../domain/agreement/lifecycle.js';
import * as followed from '../resource/state.js';
import { isUnproven } from '../resource/others.js';
import { consecutiveFailuresOf } from './consecutive-failures.js';
import { isInFlight } from './ledger.js';
import { stateOf, type AgreementState } from './state.js';
import type { Fact, Instant } from '../../domain/facts/fact.js';
import type { TermsStatus } from '../../domain/terms/status.js';

/**
 * The status by which the terms judge a payment.
 * @param asking a payment admitted before. Later payments do not count against it, except against a retry, which is sent after all others.
 */
export function termsStatusOf(
  state: AgreementState,
  asking: { uid?: string; isRetry?: boolean } = {},
): TermsStatus {
  const isInDoubt = state.isDoubtful === true || isAuthorityInDoubt(doubtfulFacts(state));
  // If the agreement is not known to be at the provider, or may be another one there, its terms are unknown.
  const { stage } = state.submission;
  const isRead = !['adopting', 'sent', 'parked'].includes(stage) && !(stage === 'open' && isUnproven(state));
  const index = state.ledger.findIndex(({ uid }) => uid === asking.uid);
  const others = state.ledger.filter(({ uid }) => uid !== asking.uid);
  const earlier = index === -1 || asking.isRetry === true ? others : state.ledger.slice(0, index);
  return {
    state: stateOf(state),
    isInDoubt,
    isContested: state.isContested === true || state.isTaken === true,
    mandate: isRead ? state.mandate : undefined,
    since: beganAt(state),
    earlier,
    hasUnknownPayments: state.adopted || state.paymentsOlder > 0,
    consecutiveFailures: consecutiveFailuresOf(state),
    inFlight: earlier.filter(isInFlight).length,
  };
}

/** When the agreement started. An adopted one started when the provider created it. */
const beganAt = ({ adopted, startedAt, requestedAt = startedAt }: AgreementState): Instant =>
  adopted && requestedAt < startedAt ? requestedAt : startedAt;

/** A fact received for another connection stays an open question, but a look-up that does not explain it ends the doubt. */
function doubtfulFacts(state: AgreementState): Fact[] {
  const open = followed.openQuestions(AGREEMENT_LIFECYCLE, state);
  const { unexplained = [] } = state;
  return state.facts.filter(
    (fact) => open.includes(fact.id) && !(followed.isForeign(state, fact) && unexplained.includes(fact.id)),
  );
}
