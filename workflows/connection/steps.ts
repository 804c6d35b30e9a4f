// What each step of a connection is: its calls, and what their answers or failures change.
import { msUntil, rule } from '../entity/engine/step.js';
import { desiredSteps } from './desired-steps.js';
import { recordFailedRefresh, markGrantLost, recordRefresh, markResumed } from './state.js';
import * as unconfirmed from './unconfirmed.js';
import { published } from './view.js';
import type { EntityDefinition } from '../entity/engine/reconcile.js';
import type { Scope } from '../entity/engine/runtime.js';
import type { StepRules } from '../entity/engine/step.js';
import type { AccountCheck } from './account.js';
import type { ConnectionStep } from './desired-steps.js';
import type { SealedTokens, ConnectionState } from './state.js';

type Of<Name extends ConnectionStep['do']> = Extract<ConnectionStep, { do: Name }>;

/** Seconds after consent at which what is blocked for want of it is signalled: a list of it may lag behind. */
const RESUME_AT_SECONDS = [0, 5, 30, 120] as const;
/** What was blocked this long before the consent, or since, may have been missing from the first list, which may lag. */
const LATE_COMERS_MS = 10 * 60 * 1000;

export const STEPS: StepRules<ConnectionState, ConnectionStep> = {
  refresh: rule<ConnectionState, Of<'refresh'>, SealedTokens>({
    lane: 'command',
    awaiting: 'nothing',
    note: 'being refreshed now',
    uninterruptible: true,
    run: ({ generation }, read, { call }) => {
      const { id, tokens, createdAt } = read();
      if (tokens === undefined) throw new Error(`expected connection ${id} to have tokens by now`);
      const { sealedRefresh } = tokens;
      return call.refreshTokens({ connectionId: id, life: createdAt, generation, sealedRefresh });
    },
    done: recordRefresh,
    failed: (state, failure, { step, now }) => recordFailedRefresh(state, now, step.generation, failure),
  }),
  pause: {
    lane: 'command',
    awaiting: 'nothing',
    run: ({ until }, _read, { sleep, now }) =>
      sleep(msUntil(until, now()), 'before the token is asked for again'),
    done: (state) => ({ ...state, retryAt: undefined }),
  },
  await_late_success: {
    lane: 'command',
    awaiting: 'nothing',
    run: ({ until }, _read, { sleep, now }) =>
      sleep(msUntil(until, now()), 'for a renewal that may have been made before'),
    // A renewal may have come in the very task in which the time was over.
    done: (state, _outcome, { step, now }) =>
      state.lostAt === step.until ? markGrantLost(state, now) : state,
  },
  resume_blocked: {
    lane: 'learn',
    awaiting: 'nothing',
    // Both at once: a schedule that cannot be made as yet must keep nothing blocked that waits for consent.
    run: (_step, read, scope) =>
      Promise.all([scope.call.ensureSweep({ connectionId: read().id }), resumeBlocked(read().id, scope)]),
    done: (state, _outcome, { step }) => markResumed(state, step.resumptions),
  },
  // Beside the refresh of the pair in use, however long that takes: the two have no token in common.
  check_account: rule<ConnectionState, Of<'check_account'>, AccountCheck>({
    lane: 'answer',
    awaiting: 'look-up',
    run: (_step, read, { call }) => {
      const { id, pair } = pairIn(read());
      const { generation, expiresAt, sealedAccess } = pair.tokens;
      return call.checkAccount({ connectionId: id, generation, expiresAt, sealedAccess });
    },
    done: (state, check, { step, now }) => unconfirmed.recordCheck(state, now, step.generation, check),
    failed: (state, failure, { step, now }) =>
      unconfirmed.postponeCheck(state, now, step.generation, failure),
  }),
  refresh_unconfirmed: rule<ConnectionState, Of<'refresh_unconfirmed'>, SealedTokens>({
    lane: 'answer',
    awaiting: 'look-up',
    uninterruptible: true,
    run: ({ generation }, read, { call }) => {
      const { id, pair, createdAt } = pairIn(read());
      const { sealedRefresh } = pair.tokens;
      const isUnconfirmed = true;
      return call.refreshTokens({
        connectionId: id,
        life: createdAt,
        generation,
        sealedRefresh,
        isUnconfirmed,
      });
    },
    done: unconfirmed.recordUnconfirmedRefresh,
    failed: (state, failure, { step, now }) =>
      unconfirmed.recordFailedUnconfirmedRefresh(state, now, step.generation, failure),
  }),
  pause_check: {
    lane: 'answer',
    awaiting: 'look-up',
    run: ({ until }, _read, { sleep, now }) =>
      sleep(msUntil(until, now()), 'before the account is checked again'),
    done: unconfirmed.endPause,
  },
  flag_unconfirmed: {
    lane: 'clock',
    awaiting: 'nothing',
    run: ({ at }, _read, { sleep, now }) =>
      sleep(msUntil(at, now()), 'before the unconfirmed account is flagged'),
    done: (state, _outcome, { now }) => unconfirmed.flagUnconfirmed(state, now),
  },
  await_consent: { lane: 'command', awaiting: 'consent' },
  rest: { lane: 'clock', awaiting: 'nothing' },
};

function pairIn({ id, createdAt, unconfirmed: pair }: ConnectionState) {
  if (pair === undefined) throw new Error(`expected connection ${id} to have an unconfirmed pair`);
  return { id, createdAt, pair };
}

async function resumeBlocked(connectionId: string, { call, sleep, now }: Scope): Promise<void> {
  // What was blocked long before has been signalled by the first; to be signalled again would cost each of thousands a task.
  const since = new Date(Date.parse(now()) - LATE_COMERS_MS).toISOString();
  for (const [index, seconds] of RESUME_AT_SECONDS.entries()) {
    if (index > 0)
      await sleep((seconds - (RESUME_AT_SECONDS[index - 1] ?? 0)) * 1000, 'before late-comers are resumed');
    await call.resumeBlocked({ connectionId, ...(index > 0 && { since }) });
  }
}

export const CONNECTION: EntityDefinition<ConnectionState, ConnectionStep> = {
  rules: STEPS,
  desiredSteps,
  isOver: () => false,
  publish: (state) =>
    published(
      state,
      desiredSteps(state).flatMap(({ do: kind }) => STEPS[kind].note ?? []),
    ),
};
