// The state of a counterparty, and how verifications, answers, callers and operators change it. Plain JSON and pure. The provider offers no
// way to read a counterparty, so this state is the record. After a submission without a clear answer, an operator decides.
import {
  corrected,
  type CounterpartyChange,
  type CounterpartyLifecycleState,
  type CounterpartySnapshot,
} from '../../domain/counterparty/lifecycle.js';
import { applyUse, repeatOfUse, type KeyUse } from '../../domain/commands/key-use.js';
import * as entity from '../resource/attention.js';
import { raiseFlag } from '../engine/flags.js';
import * as followed from '../resource/state.js';
import { markNotSent, markOpen, park } from '../resource/submission/state.js';
import { observedFact } from '../resource/judge-snapshot.js';
import { flagStopped, isCleared, unchecked, updateAccount, type Account } from './accounts.js';
import { reportingTo, type Reporting } from '../resource/reports.js';
import type { CounterpartyCorrection, CounterpartyOrder } from '../../domain/counterparty/request.schema.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { Payer } from '../../domain/agreement/payer.schema.js';
import type { AttentionResolution, Decision } from '../../domain/attention/resolution.js';
import type { Fetched, Refusal } from '../../domain/facts/snapshot.js';

export interface CounterpartyOrderRequest {
  uid: string;
  connectionId: string;
  order: CounterpartyOrder;
  /** The person who makes the request, and their IP address. Needed to resolve a PayID, and dropped after the registration. */
  payer?: Payer | undefined;
  requestedBy?: string | undefined;
  /** The id of the onboarding workflow that waits for it. */
  reportTo?: string | undefined;
}

/** A correction, an acceptance or a withdrawal by a person. Its key makes it idempotent. */
export interface ChangeRequest {
  kind: CounterpartyChange;
  /** The changed account; absent for a withdrawal or a correction of only the identity. */
  accountUid?: string | undefined;
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
  /** The original request. */
  order: CounterpartyOrder;
  /** The identity with its corrections. */
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

/** Older changes are dropped. */
const MAX_CHANGES = 50;

export function newCounterparty(requested: CounterpartyOrderRequest, now: Instant): CounterpartyState {
  const { uid, connectionId, order, payer, requestedBy, reportTo } = requested;
  const base = followed.newResourceState<CounterpartyLifecycleState>(
    { uid, connectionId, start: 'requested' },
    now,
  );
  const accounts = order.payment_accounts.map((account) => unchecked({ ...account, tries: 0 }, 0, now));
  const { identity } = order;
  const awaiting = accounts.every(isCleared)
    ? base.awaiting
    : ({ what: 'verification', since: now } as const);
  const state = { ...base, ...reportingTo(reportTo), awaiting, order, identity, accounts, payer };
  return { ...state, requestedAt: now, requestedBy, changes: [] };
}

/** A repeat changes nothing. Expects a change that passed the validator. */
export function applyChange(
  state: CounterpartyState,
  request: ChangeRequest,
  now: Instant,
): CounterpartyState {
  if (repeatOfUse(state, request.use) !== 'none') return state;
  const { to, use, ...said } = request;
  const changes = [...state.changes, { ...said, at: now }].slice(-MAX_CHANGES);
  const { kind, accountUid } = said;
  const { identity = state.identity, payer = state.payer } = to ?? {};
  const noted = applyUse({ ...state, changes, identity, payer }, use);
  if (kind === 'withdrawal') return markOpen(applyOwnEnd(noted, now, WITHDRAWAL, WITHDRAWN));
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

/** The provider has registered it. Its answer determines the account uids. */
export function applyRegistration(
  state: CounterpartyState,
  { snapshot, fetchedAt }: Fetched<CounterpartySnapshot>,
): CounterpartyState {
  const registered: CounterpartyState = {
    ...markOpen(state),
    isProven: true,
    providerId: state.providerId ?? snapshot.counterpartyId,
    adopted: snapshot.isTaken === true ? true : state.adopted,
    accounts: state.accounts.map((account, index) => ({
      ...account,
      uid: snapshot.accountUids[index] ?? account.uid,
    })),
    payer: undefined,
    snapshotState: snapshot.state,
  };
  return followed.storeFact(registered, observedFact(registered, snapshot, fetchedAt));
}

const applyOwnEnd: typeof entity.applyEnd<CounterpartyState> = (state, now, end, reason) =>
  entity.applyEnd({ ...state, failure: reason, payer: undefined }, now, end, reason);

/** The provider did nothing, so a corrected submission may follow. A refusal without a code may mean that the provider has it: an operator decides. */
export const markRefused = (state: CounterpartyState, reason: Refusal, now: Instant): CounterpartyState =>
  raiseFlag({ ...markNotSent(state, now), refused: { reason, at: now } }, 'parked', now, {
    detail: `The provider refused the counterparty (${[reason.code, reason.title].filter(Boolean).join(': ')}).`,
    next: `${reason.next ?? 'Read the provider’s reason.'} Correct it: POST /v1/counterparties/${state.uid}/correction. Or resolve this flag: \`close\` gives it up. If the provider states that it has the counterparty, \`adopt\` treats it as registered.`,
  });

/** The provider refused the registration. */
export const applyRefusal = (state: CounterpartyState, now: Instant, reason: Refusal): CounterpartyState =>
  applyOwnEnd(state, now, { verb: 'submit', type: 'refused', causedBy: 'provider' }, reason);

/** The outcome is unknown and cannot be looked up. A second submission could create a second counterparty, so it is never sent again. */
export const parkUnknownRegistration = (state: CounterpartyState, now: Instant): CounterpartyState =>
  state.submission.stage === 'sent'
    ? park(state, now, 'absence', {
        detail:
          'The submission had no clear answer, so the provider may or may not have the counterparty. It offers no way to look up a counterparty.',
        next: 'Ask the provider whether payment accounts with these uids exist, then resolve this flag. `adopt` treats the counterparty as registered, `close` gives it up. It is not sent again.',
      })
    : state;

/** A repeat changes nothing. Expects a resolution that passed `validateResolution`. */
export const resolveFlag = (
  state: CounterpartyState,
  resolution: AttentionResolution,
  now: Instant,
): CounterpartyState => entity.resolveFlag(state, resolution, now, applyDecision);

function applyDecision(state: CounterpartyState, decision: Decision, now: Instant): CounterpartyState {
  if (decision === 'adopt') {
    const open = markOpen({ ...state, refused: undefined });
    const adopted: CounterpartyState = { ...open, adopted: true, payer: undefined };
    return entity.applyEnd(adopted, now, { verb: 'adopt', type: 'adopted', causedBy: 'initiator' }, {});
  }
  return markOpen(
    state.submission.count === 0
      ? applyOwnEnd(
          state,
          now,
          { verb: 'close', type: 'refused', causedBy: 'initiator' },
          state.refused?.reason ?? CLOSED,
        )
      : applyOwnEnd(state, now, { verb: 'give-up', type: 'unresolved', causedBy: 'initiator' }, UNRESOLVED),
  );
}

const WITHDRAWAL = { verb: 'withdraw', type: 'refused', causedBy: 'initiator' } as const;
const WITHDRAWN: Refusal = {
  code: 'withdrawn',
  title: 'Withdrawn: it was not registered at the provider.',
  next: 'To register it after all, request it under another uid.',
};
const CLOSED: Refusal = {
  code: 'closed',
  title: 'Given up by an operator: nothing was sent to the provider.',
  next: 'Once its accounts are correct, request it again under another uid.',
};
const UNRESOLVED: Refusal = {
  code: 'unresolved',
  title: 'Given up by an operator: the provider may or may not have registered it.',
  next: 'Request it again under another uid; its accounts then have new uids too.',
};
