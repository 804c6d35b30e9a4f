// An agreement claims the uid of a run that an event has started before the payment was requested. Plain JSON and pure.
import { withoutForeignAuthority } from '../entity/resource/state.js';
import { openByNews } from '../entity/resource/others.js';
import { restartSearch } from '../entity/resource/submission.js';
import { newPayment } from './state.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { StateStore } from '../entity/engine/reconcile.js';
import type { Runtime } from '../entity/engine/runtime.js';
import type { PaymentHolder, PaymentInput } from './contract.js';
import type { PaymentState } from './state.js';

/** The first claim of a vacant run wins. @returns which agreement holds the uid now. Null if the order is unknown. */
export function claim(
  { read, update }: StateStore<PaymentState>,
  { now }: Pick<Runtime, 'now'>,
  input: PaymentInput,
): PaymentHolder | null {
  if (isVacant(read())) update((state) => claimed(state, input, now()));
  const { order, requestedAt } = read();
  return order === undefined ? null : { of: order.agreement_uid, amount: order.amount, requestedAt };
}

/** Only an event names the payment. No agreement has requested it, and no snapshot has shown it. */
const isVacant = ({ order, isProven, submission: { stage } }: PaymentState): boolean =>
  order === undefined && isProven !== true && (stage === 'adopting' || stage === 'unknown');

/**
 * The event may be true, so the provider is searched before the payment is sent. Events at the address of another connection count no more than
 * any others that are not authenticated.
 */
function claimed(state: PaymentState, input: PaymentInput, now: Instant): PaymentState {
  const { openUntil, droppedHashes } = state;
  const requested = newPayment(input, now);
  const facts = state.facts.map((fact) => withoutForeignAuthority(requested, fact));
  const searching = restartSearch(
    { ...requested, facts, droppedHashes, openUntil, isStartedLate: undefined },
    now,
  );
  const isPublished = facts.some(({ source, authenticated }) => source === 'webhook' && authenticated);
  return isPublished ? openByNews(searching) : searching;
}
