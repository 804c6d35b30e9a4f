// The validators of the commands of a counterparty. Pure.
import {
  corrected,
  faultsOfAccount,
  faultsOfIdentity,
  type CounterpartyFault,
} from '../../domain/counterparty/lifecycle.js';
import { useOfResolution, type AttentionResolution } from '../../domain/attention/resolution.js';
import { repeatOfUse } from '../../domain/commands/key-use.js';
import { validateResolution } from '../resource/attention.js';
import { refused } from '../engine/refusal.js';
import { isAcceptable, type Account } from './accounts.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { ChangeRequest, CounterpartyState } from './state.js';

/** @throws ApplicationFailure like `validateResolution`; `decision_needed` for `adopt` if the counterparty was never sent. */
export function validateDecision(state: CounterpartyState, resolution: AttentionResolution): void {
  validateResolution(state, resolution);
  if (repeatOfUse(state, useOfResolution(state.uid, resolution)) === 'same') return;
  const wasSent = state.submission.stage === 'parked' || state.refused !== undefined;
  if (resolution.decision === 'adopt' && !wasSent)
    throw refused(
      'decision_needed',
      'The counterparty was never sent, so it cannot be adopted. Expected `close`, which gives it up. To continue, correct the account or accept its close match.',
      { pointer: '/decision' },
    );
}

/** @throws ApplicationFailure with the codes of `changeCounterparty` in the contract. */
export function validateChange(state: CounterpartyState, request: ChangeRequest, now: Instant): void {
  const repeat = repeatOfUse(state, request.use);
  if (repeat === 'same') return;
  if (repeat === 'other')
    throw refused('change_key_conflict', 'This key was already used for a different request. Use a new key.');
  const { accountUid, to } = request;
  const account = state.accounts.find(({ uid }) => uid === accountUid);
  if (account === undefined && accountUid !== undefined)
    throw refused('no_such_payment_account', 'The counterparty has no account with this uid.', ON_ACCOUNT);
  if (state.submission.stage !== 'ready')
    throw refused('counterparty_sent', 'The counterparty was already sent to the provider.');
  assertNoFault(faultsOfIdentity(to?.identity, now));
  if (account !== undefined) validateAccountChange(state, account, request, now);
}

const ON_ACCOUNT = { pointer: '/payment_account_uid' };

function validateAccountChange(
  state: CounterpartyState,
  account: Account,
  { to }: ChangeRequest,
  now: Instant,
): void {
  if (to === undefined) {
    if (isAcceptable(account)) return;
    throw refused(
      'close_match_needed',
      'The account has no close match to accept. Expected an account whose verification is a close match.',
      ON_ACCOUNT,
    );
  }
  const hasPayer = (to.payer ?? state.payer) !== undefined;
  assertNoFault(faultsOfAccount(corrected(account, to), { now, hasPayer }));
}

function assertNoFault([fault]: CounterpartyFault[]): void {
  if (fault !== undefined) throw refused('provider_would_refuse', fault.detail, { pointer: fault.pointer });
}
