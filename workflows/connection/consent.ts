// Rounds of consent, and requests for a newer token generation.
import { refused } from '../engine/refusal.js';
import { CallFailed, type Runtime } from '../engine/runtime.js';
import { judgeAccount } from './account.js';
import { failedConsent, type FailedConsent } from './failure.js';
import * as states from './state.js';
import { ownershipIn, applyAccount, applyConfirmation, applyFailedCheck } from './unconfirmed.js';
import { accessOf, viewOf } from './view.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { StateStore } from '../engine/reconcile.js';
import type {
  AccessGrant,
  Confirmation,
  ConnectionView,
  ConsentAnswer,
  ConsentRequest,
  ConsentRound,
  TicketUse,
} from './contract.js';
import type { ConsentedTokens, ConnectionState } from './state.js';

/** How long an update waits for a newer generation. The caller may repeat it. */
const REFRESH_WAIT_MS = 20_000;

/** The first request states the account of the first consent, or leaves it to an operator. Only an operator may change that. */
export function validateRoundRequest(
  { consent, expectedAccount: before }: ConnectionState,
  { expectedAccount, isOperator }: ConsentRequest = {},
): void {
  const isSame = expectedAccount === undefined || expectedAccount === before;
  if (consent.round === 0 || isSame || isOperator === true) return;
  throw refused(
    'other_account',
    'Only a key with the scope `operate` may change which account is expected. Expected the `expected_account` of the first request, or none.',
    { pointer: '/expected_account' },
  );
}

/** Opens a round and closes an earlier open one. A repeat with the same key and acceptance gets the same round while that is open. */
export function openRound(
  { read, update }: StateStore<ConnectionState>,
  runtime: Pick<Runtime, 'now'>,
  { key, acceptance, expectedAccount, needsConfirmation }: ConsentRequest = {},
): ConsentRound {
  const now = runtime.now();
  const { consent } = read();
  const isRepeat =
    key !== undefined && key === consent.key && acceptance?.reason === consent.acceptance?.reason;
  if (isRepeat && !consent.isUsed && !isTooOld(consent, now))
    return { round: consent.round, expiresAt: consent.expiresAt };
  const round = consent.round + 1;
  const expiresAt = new Date(Date.parse(now) + states.CONSENT_MS).toISOString();
  update((state) => ({
    ...state,
    expectedAccount: expectedAccount ?? state.expectedAccount,
    needsConfirmation,
    consent: { ...state.consent, round, expiresAt, isUsed: false, browser: undefined, key, acceptance },
  }));
  return { round, expiresAt };
}

/** Refuses all links but the newest, and all browsers but the first. */
export function validateTicket(state: ConnectionState, use: TicketUse, now: Instant): void {
  validateRound(state, use, now);
  const { browser } = state.consent;
  if (browser !== undefined && browser !== use.browser)
    throw refused(
      'consent_begun_elsewhere',
      'The consent link was already used in another browser. Continue there, or start again with a new link.',
    );
}

/** Remembers the browser, so that no other one can use the link or complete its consent. */
export function useTicket(
  { read, update }: StateStore<ConnectionState>,
  _runtime: unknown,
  { browser }: TicketUse,
): ConsentRound {
  update((state) => ({ ...state, consent: { ...state.consent, browser } }));
  const { round, expiresAt } = read().consent;
  return { round, expiresAt };
}

/** Refuses an answer that another browser brings, or for a link that was not used. */
export function validateConsent(state: ConnectionState, answer: ConsentAnswer, now: Instant): void {
  validateRound(state, answer, now);
  if (state.consent.browser !== answer.browser) throw outdated();
}

function validateRound(
  { consent: open }: ConnectionState,
  { round, expiresAt }: ConsentRound,
  now: Instant,
): void {
  if (open.round !== round || open.expiresAt !== expiresAt || open.isUsed) throw outdated();
  if (isTooOld(open, now))
    throw refused(
      'consent_round_expired',
      'The consent link has expired. Consent within ten minutes, with a new link.',
    );
}

const outdated = (): Error =>
  refused(
    'consent_round_unknown',
    'The consent link is outdated or was already used. Expected an unused link of the latest round.',
  );

/** Uses the workflow's time, which is that of Temporal's server. Other processes may have wrong clocks. */
const isTooOld = ({ expiresAt }: ConsentRound, now: Instant): boolean =>
  Date.parse(now) > Date.parse(expiresAt);

/** Exchanges the code within the update, so that the caller receives the outcome (docs/decisions/0015-consent-is-exchanged-in-its-update.md). */
export async function acceptConsent(
  cell: StateStore<ConnectionState>,
  runtime: Pick<Runtime, 'now' | 'scope'>,
  answer: ConsentAnswer,
): Promise<ConnectionView> {
  const { read, update } = cell;
  const generation = states.consentedGeneration(read());
  // Read it now: the next round may be open when the exchange ends.
  const { acceptance } = read().consent;
  // Reserve the generation now: another consent may arrive before this exchange ends.
  update((state) => states.markRoundUsed(state, generation));
  const { account, checkFailed, ...tokens } = await exchanged(cell, runtime, answer, generation);
  const verdict = judgeAccount(ownershipIn(read()), account, acceptance);
  update((state) =>
    checkFailed === undefined
      ? applyAccount(state, runtime.now(), { tokens, acceptance }, account)
      : applyFailedCheck(state, runtime.now(), tokens, acceptance, checkFailed),
  );
  if (checkFailed === undefined && verdict === 'other_account')
    throw refusedAs(failedConsent('other_account'));
  if (states.isGivenUp(read(), generation))
    throw refused(
      'consent_round_unknown',
      'The connection was revoked during the consent. Start again with a new link.',
    );
  return viewOf(read());
}

/** Refuses a confirmation of anything but the account of the latest consent. */
export function validateConfirmation({ unconfirmed }: ConnectionState, { account }: Confirmation): void {
  if (unconfirmed?.progress !== 'to_confirm')
    throw refused(
      'nothing_to_confirm',
      'No consent waits for a confirmation. Expected one whose `account_check.state` is `to_confirm`.',
    );
  if ((unconfirmed.account ?? 'unknown') !== account)
    throw refused(
      'other_account',
      'The latest consent came from another account. Compare it with `account_check.account`.',
    );
}

export function confirmAccount(
  { read, update }: StateStore<ConnectionState>,
  { now }: Pick<Runtime, 'now'>,
  { by, reason }: Confirmation,
): ConnectionView {
  update((state) => applyConfirmation(state, now(), { by, reason }));
  return viewOf(read());
}

async function exchanged(
  { read, update }: StateStore<ConnectionState>,
  { now, scope }: Pick<Runtime, 'now' | 'scope'>,
  { round, sealedCode, sealedVerifier }: ConsentAnswer,
  generation: number,
): Promise<ConsentedTokens> {
  try {
    const args = { connectionId: read().id, round, generation, sealedCode, sealedVerifier };
    return await scope().call.exchangeCode(args);
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    const failure = failedConsent(error.failure.code);
    update((state) => states.applyFailedConsent(state, now(), failure));
    throw refusedAs(failure);
  }
}

const refusedAs = ({ code, detail }: FailedConsent): Error =>
  refused(code, `${detail} Start again with a new link.`);

/**
 * Waits until there is a newer generation, or only a person can help. The wait is limited. It ends early if the run is about to continue as new,
 * because a pending update would prevent that. The caller may repeat the request. If the caller names a generation that we do not have yet, that
 * generation is of an earlier connection with the same id. We return ours at once, because catching up would spend one refresh token per step.
 */
export async function ensureGeneration(
  cell: StateStore<ConnectionState>,
  { until }: Pick<Runtime, 'until'>,
  { after }: { after: number },
): Promise<AccessGrant> {
  const { read, update } = cell;
  const isThere = (): boolean => read().status !== 'healthy' || states.generationOf(read()) > after;
  if (isThere() || after > states.generationOf(read())) return accessOf(read());
  if (after > read().refreshRequestedFor) update((state) => ({ ...state, refreshRequestedFor: after }));
  await until(() => isThere() || cell.isLeaving === true, REFRESH_WAIT_MS);
  return accessOf(read());
}
