// What a counterparty workflow keeps, and what verifications, answers, callers and operators change in it. Plain JSON and pure. The provider
// shows none of it again: what was accepted is kept here, and one whose submission had no clear answer is for a person.
import { COUNTERPARTY_LIFECYCLE, corrected } from '../../domain/counterparty/lifecycle.js';
import { recordUse, repeatOfUse } from '../../domain/commands/key-use.js';
import * as entity from '../entity/resource/attention.js';
import * as followed from '../entity/resource/state.js';
import { newSubmission, markNotSent, markOpen, park } from '../entity/resource/submission.js';
import { flagStopped, unchecked, updateAccount } from './accounts.js';
import type { Account } from './accounts.js';
import { reportingTo } from '../entity/engine/reports.js';
import type { Reporting } from '../entity/engine/reports.js';
import type { CounterpartyChange, CounterpartyLifecycleState } from '../../domain/counterparty/lifecycle.js';
import type { CounterpartyCorrection, CounterpartyOrder } from '../../domain/counterparty/request.schema.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { KeyUse } from '../../domain/commands/key-use.js';
import type { Payer } from '../../domain/agreement/payer.schema.js';
import type { AttentionResolution, Decision } from '../../domain/attention/resolution.js';
import type { CounterpartySnapshot, Fetched, Refusal } from '../../domain/facts/snapshot.js';

/** What a counterparty is begun with. */
export interface CounterpartyOrderRequest {
  uid: string;
  connectionId: string;
  order: CounterpartyOrder;
  /** Who asks, and from where: needed of a PayID, and forgotten once it is registered. */
  payer?: Payer | undefined;
  /** The principal that asked for it. */
  requestedBy?: string | undefined;
  /** The id of the onboarding workflow that waits for it. */
  reportTo?: string | undefined;
}

/** What a person says of an account, or that none of it is wanted any more; its key makes it one, however often it is said. */
export interface ChangeRequest {
  kind: CounterpartyChange;
  /** Of which account; absent of a withdrawal, and of a correction of the identity alone. */
  accountUid?: string | undefined;
  /** Of a correction. */
  to?: CounterpartyCorrection | undefined;
  reason: string;
  /** The principal of the person. */
  by: string;
  use: KeyUse;
}

export interface Change extends Omit<ChangeRequest, 'to' | 'use'> {
  at: Instant;
}

export interface CounterpartyState extends followed.ResourceState<CounterpartyLifecycleState>, Reporting {
  /** What was asked for. */
  order: CounterpartyOrder;
  /** As it is now, corrections included. */
  identity?: CounterpartyOrder['identity'];
  accounts: Account[];
  payer?: Payer | undefined;
  /** The provider's refusal, until a correction. */
  refused?: { reason: Refusal; at: Instant } | undefined;
  requestedAt: Instant;
  requestedBy?: string | undefined;
  adopted?: true | undefined;
  failure?: Refusal | undefined;
  changes: Change[];
}

/** The newest are kept. */
export const MAX_CHANGES = 50;

export function newCounterparty(requested: CounterpartyOrderRequest, now: Instant): CounterpartyState {
  const { uid, connectionId, order, payer, requestedBy, reportTo } = requested;
  const base = followed.newResourceState<CounterpartyLifecycleState>(
    { uid, connectionId, submission: newSubmission('ready'), start: 'requested' },
    { what: 'look-up', since: now },
  );
  const accounts = order.payment_accounts.map((account) => unchecked({ ...account, tries: 0 }, 0, now));
  const { identity } = order;
  const state = { ...base, ...reportingTo(reportTo), order, identity, accounts, payer };
  return { ...state, requestedAt: now, requestedBy, changes: [] };
}

/** A repeat changes nothing. Expects what the validator let through. */
export function recordChange(
  state: CounterpartyState,
  request: ChangeRequest,
  now: Instant,
): CounterpartyState {
  if (repeatOfUse(state, request.use) !== 'none') return state;
  const { to, use, ...said } = request;
  const changes = [...state.changes, { ...said, at: now }].slice(-MAX_CHANGES);
  const { kind, accountUid } = said;
  const { identity = state.identity, payer = state.payer } = to ?? {};
  const noted = recordUse({ ...state, changes, identity, payer }, use);
  if (kind === 'withdrawal') return markOpen(recordOwnEnd(noted, now, WITHDRAWAL, WITHDRAWN));
  const changed =
    accountUid === undefined
      ? noted
      : updateAccount(noted, accountUid, (account) =>
          to === undefined
            ? { ...account, isAccepted: true }
            : unchecked(corrected(account, to), account.corrections + 1, now),
        );
  return flagStopped({ ...changed, refused: undefined }, now);
}

/** The provider has it: what it says of the accounts' uids is right. */
export const markRegistered = (
  state: CounterpartyState,
  { snapshot }: Fetched<CounterpartySnapshot>,
): CounterpartyState => ({
  ...state,
  providerId: state.providerId ?? snapshot.counterpartyId,
  adopted: snapshot.isTaken === true ? true : state.adopted,
  accounts: state.accounts.map((account, index) => ({
    ...account,
    uid: snapshot.accountUids[index] ?? account.uid,
  })),
  payer: undefined,
});

const recordOwnEnd: typeof entity.recordEnd<CounterpartyState> = (state, now, end, reason) =>
  entity.recordEnd({ ...state, failure: reason, payer: undefined }, now, end, reason);

/** The provider did nothing, so a correction may be sent. A refusal in words alone may mean that the provider has it: a person decides. */
export const markRefused = (state: CounterpartyState, reason: Refusal, now: Instant): CounterpartyState =>
  followed.raiseFlag({ ...markNotSent(state, now), refused: { reason, at: now } }, 'parked', now, {
    detail: `The provider refused the counterparty (${[reason.code, reason.title].filter(Boolean).join(': ')}).`,
    next: `${reason.next ?? 'Read what the provider says.'} Correct it: POST /v1/counterparties/${state.uid}/correction. Or resolve this flag: \`close\` gives it up, \`adopt\` takes it for registered where the provider says that it has it.`,
  });

/** The provider would not register it. */
export const recordRefusal = (state: CounterpartyState, now: Instant, reason: Refusal): CounterpartyState =>
  recordOwnEnd(state, now, { verb: 'submit', type: 'refused', causedBy: 'provider' }, reason);

/** It may be there, or not: the provider shows none, and a second one would have an id of its own, so it is never sent again. */
export const parkUnknownRegistration = (state: CounterpartyState, now: Instant): CounterpartyState =>
  state.submission.stage === 'sent'
    ? park(state, now, 'absence', {
        detail:
          'The submission had no clear answer, so the provider may or may not have the counterparty, and it shows none that could be looked for.',
        next: 'Ask the provider whether there is a payment account of these uids, then resolve this flag: `adopt` takes it for registered, `close` gives it up. It is not sent again.',
      })
    : state;

/** A repeat changes nothing. Expects what `validateResolution` let through. */
export const resolveFlag = (
  state: CounterpartyState,
  resolution: AttentionResolution,
  now: Instant,
): CounterpartyState => entity.resolveFlag(state, resolution, now, applyDecision);

function applyDecision(state: CounterpartyState, decision: Decision, now: Instant): CounterpartyState {
  if (decision === 'adopt') {
    const open = markOpen({ ...state, refused: undefined });
    const adopted: CounterpartyState = { ...open, adopted: true, payer: undefined };
    return entity.recordEnd(adopted, now, { verb: 'adopt', type: 'adopted', causedBy: 'initiator' }, {});
  }
  return markOpen(
    state.submission.count === 0
      ? recordOwnEnd(
          state,
          now,
          { verb: 'close', type: 'refused', causedBy: 'initiator' },
          state.refused?.reason ?? CLOSED,
        )
      : recordOwnEnd(state, now, { verb: 'give-up', type: 'unresolved', causedBy: 'initiator' }, UNRESOLVED),
  );
}

const WITHDRAWAL = { verb: 'withdraw', type: 'refused', causedBy: 'initiator' } as const;
const WITHDRAWN: Refusal = {
  code: 'withdrawn',
  title: 'Withdrawn: the provider has not registered it.',
  next: 'Ask for it under another uid, should it be wanted after all.',
};
const CLOSED: Refusal = {
  code: 'closed',
  title: 'Given up by an operator: nothing was sent to the provider.',
  next: 'Ask for it again under another uid once its accounts are known to be right.',
};
const UNRESOLVED: Refusal = {
  code: 'unresolved',
  title: 'Given up by an operator: it is not known whether the provider has registered it.',
  next: 'Ask for it again under another uid: its accounts have other uids then.',
};

/** What a run leaves to the next, within Temporal's limit for a payload. */
export const stateToCarry = (state: CounterpartyState): CounterpartyState =>
  followed.compact(COUNTERPARTY_LIFECYCLE, state);
