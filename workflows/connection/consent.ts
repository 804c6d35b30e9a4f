// How a grant comes and goes by the will of people: rounds of consent, and how a newer token is asked for.
import { refused } from '../entity/engine/refusal.js';
import { CallFailed } from '../entity/engine/runtime.js';
import { judgeAccount } from './account.js';
import { failedConsent } from './failure.js';
import * as states from './state.js';
import { recordAccount, recordFailedCheck } from './unconfirmed.js';
import { accessOf, viewOf } from './view.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { StateStore } from '../entity/engine/reconcile.js';
import type { Runtime } from '../entity/engine/runtime.js';
import type { FailedConsent } from './failure.js';
import type { AccessGrant, ConnectionView, ConsentAnswer, ConsentRequest, ConsentRound } from './contract.js';
import type { ConsentedTokens, ConnectionState } from './state.js';

/** How long an update waits for a newer generation; a caller may ask again. */
const RENEWAL_MS = 20_000;

/**
 * Opens a round; an earlier one that is still open is closed by it.
 * @param asked by its `key`, the caller's own, a repeat gets the round that it opened, and a new one where consent is not possible
 *   in that any more, or another account may not come in it as is asked now.
 */
export function openRound(
  { read, update }: StateStore<ConnectionState>,
  runtime: Pick<Runtime, 'now'>,
  { key, acceptance }: ConsentRequest = {},
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
    consent: { ...state.consent, round, expiresAt, isUsed: false, key, acceptance },
  }));
  return { round, expiresAt };
}

/**
 * A link of a connection that has ended is not one of the connection that has its id now, though that may be in a round of the
 * same number.
 */
export function validateConsent(
  { consent: open }: ConnectionState,
  { round, expiresAt }: ConsentAnswer,
  now: Instant,
): void {
  if (open.round !== round || open.expiresAt !== expiresAt || open.isUsed)
    throw refused('consent_round_unknown', 'Expected the newest consent link, not used before.');
  if (isTooOld(open, now)) throw refused('consent_round_expired', 'Expected consent within ten minutes.');
}

/** By the clock here, which is Temporal's: that of the process that made the link, or took the code, may be wrong. */
const isTooOld = ({ expiresAt }: ConsentRound, now: Instant): boolean =>
  Date.parse(now) > Date.parse(expiresAt);

/** Exchanges the code within the update, so that the caller learns the outcome (docs/decisions/0015-consent-is-exchanged-in-its-update.md). */
export async function acceptConsent(
  cell: StateStore<ConnectionState>,
  runtime: Pick<Runtime, 'now' | 'scope'>,
  answer: ConsentAnswer,
): Promise<ConnectionView> {
  const { read, update } = cell;
  const generation = states.consentedGeneration(read());
  // Of this round: the next may be open by the time the code has been exchanged.
  const { acceptance } = read().consent;
  // Noted at once: the next consent may be on its way before this one has brought anything.
  update((state) => states.markRoundUsed(state, generation));
  const { account, checkFailed, ...tokens } = await exchanged(cell, runtime, answer, generation);
  const verdict = judgeAccount(read().account, account, acceptance);
  update((state) =>
    checkFailed === undefined
      ? recordAccount(state, runtime.now(), { tokens, acceptance }, account)
      : recordFailedCheck(state, runtime.now(), tokens, acceptance, checkFailed),
  );
  if (checkFailed === undefined && verdict === 'other_account')
    throw refusedAs(failedConsent('other_account'));
  if (states.isGivenUp(read(), generation))
    throw refused(
      'consent_round_unknown',
      'The connection was revoked meanwhile. Begin again with a new link.',
    );
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
    update((state) => states.recordFailedConsent(state, now(), failure));
    throw refusedAs(failure);
  }
}

const refusedAs = ({ code, detail }: FailedConsent): Error =>
  refused(code, `${detail} Begin again with a new link.`);

/**
 * Waits until there is a newer generation, or until it is plain that only a person can help. Not for ever: an update that waits
 * keeps this run from handing over to the next, so it ends once the run wants to; the caller looks at what it gets, and asks again.
 * A caller that has seen a generation that is not here yet speaks of a connection that has ended, and was begun again under this
 * id: what stands here is news to it, and to catch up with that number would spend a refresh token for each step.
 */
export async function generationBeyond(
  cell: StateStore<ConnectionState>,
  { until }: Pick<Runtime, 'until'>,
  { after }: { after: number },
): Promise<AccessGrant> {
  const { read, update } = cell;
  const isThere = (): boolean => read().status !== 'healthy' || states.generationOf(read()) > after;
  if (isThere() || after > states.generationOf(read())) return accessOf(read());
  if (after > read().wantedBeyond) update((state) => ({ ...state, wantedBeyond: after }));
  await until(() => isThere() || cell.isLeaving === true, RENEWAL_MS);
  return accessOf(read());
}
