// How a spent token is followed by the next: one attempt at a time, and every way in which one can fail.
// In:  workflows/connection/workflow.ts, when someone has asked for a newer generation.
// Out: activities/refresh-tokens.ts.
import { condition, patched } from '@temporalio/workflow';
import { callFailureOf } from '../entity/call-failure.js';
import { refreshTokens } from '../entity/calls.js';
import { LATE_SUCCESS_MS, generationOf, withFailedRefresh, withGrantLost, withGrantRefused, withNote, withRenewal } from './state.js'; // prettier-ignore
import { accessOf } from './view.js';
import type { AccessGrant } from './contract.js';
import type { ConnectionRecord } from './state.js';
import type { Held } from '../entity/loop.js';

/** How long an update waits for a newer generation; who asks may ask again. */
const RENEWAL_MS = 20_000;

/**
 * Waits until there is a newer generation, or until it is plain that only a person can help. Not for ever: who asks
 * looks at what it gets, and an update that never ends would keep this run from ever handing over to the next. Who has seen a
 * generation that is not here yet speaks of a connection that has ended, and was begun again under this id: what stands here
 * is news to them, and to catch up with that number would spend a refresh token for each step.
 */
export async function generationBeyond(
  { read, change }: Held<ConnectionRecord>,
  after: number,
): Promise<AccessGrant> {
  const isThere = (): boolean => read().status !== 'healthy' || generationOf(read()) > after;
  if (!isThere() && after > generationOf(read()) && patched('generations-of-another-life'))
    return accessOf(read());
  if (!isThere() && after > read().wantedBeyond) change((known) => ({ ...known, wantedBeyond: after }));
  if (!isThere()) await condition(isThere, RENEWAL_MS);
  return accessOf(read());
}

/** One attempt. A success has signalled its tokens before it returns, and returns them too. */
export async function refresh({ read, change }: Held<ConnectionRecord>, generation: number): Promise<void> {
  const { id, tokens, createdAt } = read();
  if (tokens === undefined) return;
  const isRenewed = (): boolean => generationOf(read()) > generation;
  try {
    const renewed = await refreshTokens({
      connectionId: id,
      life: createdAt,
      generation,
      sealedRefresh: tokens.sealedRefresh,
    });
    change((known) => withRenewal(known, renewed));
  } catch (error) {
    const failure = callFailureOf(error);
    const atOnce = patched('flags-at-once');
    if (failure.code === 'grant_refused') {
      // It may mean that an earlier attempt won, and that its success is still on its way to us.
      if (atOnce && !isRenewed()) change((known) => withGrantRefused(known, now(), failure.code));
      if (await condition(isRenewed, LATE_SUCCESS_MS)) return;
      return change((known) => withGrantLost(withNote(known, now(), failure.code), now()));
    }
    // Runs that began before that rule tried again when the ladder said, whatever the server had asked for.
    const heeded = atOnce ? failure : { ...failure, retryAfterMs: undefined };
    if (!isRenewed()) change((known) => withFailedRefresh(known, now(), heeded, atOnce));
  }
}

const now = (): string => new Date().toISOString();
