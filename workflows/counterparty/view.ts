// A counterparty for callers, and its page in Temporal's UI, which never shows names or accounts.
import {
  COUNTERPARTY_LIFECYCLE,
  checkOf,
  isCounterpartyFinal,
  type CounterpartyLifecycleState,
} from '../../domain/counterparty/lifecycle.js';
import { consequenceOf } from '../../domain/counterparty/verification.js';
import { requestedInWords, readable, readableReason, type Published } from '../engine/publish.js';
import { publishedResource, resourceView } from '../resource/view.js';
import { isCleared, isBlocking, type Account } from './accounts.js';
import { newCounterparty, type CounterpartyState } from './state.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { AccountView, CounterpartyInput, CounterpartyView } from './contract.js';

export function viewOf(state: CounterpartyState) {
  const view = resourceView(COUNTERPARTY_LIFECYCLE, state, state.requestedAt);
  const {
    order,
    identity,
    accounts,
    refused,
    providerId,
    adopted,
    requestedAt,
    requestedBy,
    submission,
    failure,
    changes,
  } = state;
  const before = view.state === 'requested' ? stopOf(state) : undefined;
  return {
    ...view,
    ...before,
    order,
    identity,
    accounts: accounts.map(accountView),
    counterpartyId: providerId,
    adopted: adopted === true,
    failure: view.state !== 'unknown' && isCounterpartyFinal(view.state) ? failure : refused?.reason,
    requestedAt,
    requestedBy,
    submissions: submission.count,
    changes,
  };
}

/** Why it has not been sent: a refusal, or the state of its accounts; undefined if nothing holds it back. */
function stopOf({
  refused,
  accounts,
  submission,
  requestedAt,
}: CounterpartyState): { state: CounterpartyLifecycleState; stateSince: Instant } | undefined {
  if (refused !== undefined) return { state: 'refused', stateSince: refused.at };
  if (submission.stage !== 'ready' || accounts.every(isCleared)) return undefined;
  const stopped = accounts.filter(isBlocking).flatMap(({ checked }) => checked?.at ?? []);
  return stopped.length > 0
    ? { state: 'unverified', stateSince: stopped.sort()[0] ?? requestedAt }
    : { state: 'verifying', stateSince: requestedAt };
}

function accountView(account: Account): AccountView {
  const { corrections: _, isAccepted: __, ...visible } = account;
  return { ...visible, isCleared: isCleared(account) };
}

/** The view of a new counterparty. The API answers the request with it, before the workflow runs. */
export const firstView = (input: CounterpartyInput, now: Instant): CounterpartyView =>
  viewOf(newCounterparty(input, now));

export function published(state: CounterpartyState): Published {
  const view = viewOf(state);
  return publishedResource('counterparty', state, view.state, { own: [], notes: notesOf(view, state) });
}

function notesOf(view: CounterpartyView, { accounts }: CounterpartyState): string[] {
  const { counterpartyId, adopted, failure, changes, requestedAt, requestedBy } = view;
  const change = changes.at(-1);
  return [
    requestedInWords(requestedAt, requestedBy),
    ...accounts.map((account) => `account ${account.uid}: ${statusInWords(account)}`),
    ...(counterpartyId === undefined ? [] : [`counterparty ${counterpartyId} at the provider`]),
    ...(adopted ? ['treated as registered: its account uids were taken, or an operator confirmed it'] : []),
    ...(failure === undefined ? [] : [readableReason(failure)]),
    ...(change === undefined ? [] : [`the latest ${change.kind} ${readable(change.at)}, by ${change.by}`]),
  ];
}

function statusInWords(account: Account): string {
  const { checked, isAccepted } = account;
  const check = checkOf(account);
  if (check === undefined) return 'registered without a verification';
  if (checked === undefined) return `to be verified by ${check}`;
  const again = checked.notBefore === undefined ? '' : ` The next try is ${readable(checked.notBefore)}.`;
  const accepted = isAccepted === true ? ' An operator has accepted it.' : '';
  return `${checked.outcome}, ${readable(checked.at)}: ${consequenceOf(checked).detail}${accepted}${again}`;
}
