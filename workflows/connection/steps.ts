// The steps of a connection: their calls, and how each outcome or failure changes the state.
import { msUntil, rule, type StepRules } from '../engine/step.js';
import { desiredSteps, type ConnectionStep } from './desired-steps.js';
import {
  applyFailedRefresh,
  markGrantLost,
  applyRefresh,
  markResumed,
  type SealedTokens,
  type ConnectionState,
} from './state.js';
import * as unconfirmed from './unconfirmed.js';
import { published } from './view.js';
import { CONNECTION_RECORD } from './records.js';
import type { EntityDefinition } from '../engine/reconcile.js';
import type { Scope } from '../engine/runtime.js';
import type { AccountCheck } from './account.js';

type Of<Name extends ConnectionStep['do']> = Extract<ConnectionStep, { do: Name }>;

/** Seconds after a consent at which blocked workflows are signalled. Repeated, because the list of blocked workflows may lag. */
const RESUME_AT_SECONDS = [0, 5, 30, 120] as const;
/** Later rounds signal workflows blocked from this long before the consent on. The first list may have missed those. */
const LATE_COMERS_MS = 10 * 60 * 1000;

export const STEPS: StepRules<ConnectionState, ConnectionStep> = {
  refresh: rule<ConnectionState, Of<'refresh'>, SealedTokens>({
    lane: 'command',
    awaiting: 'nothing',
    uninterruptible: true,
    run: ({ generation }, read, { call }) => {
      const { id, tokens, createdAt } = read();
      if (tokens === undefined) throw new Error(`connection ${id} has no tokens; expected some to refresh`);
      const { sealedRefresh } = tokens;
      return call.refreshTokens({ connectionId: id, life: createdAt, generation, sealedRefresh });
    },
    done: applyRefresh,
    failed: (state, failure, { step, now }) => applyFailedRefresh(state, now, step.generation, failure),
  }),
  pause: {
    lane: 'command',
    awaiting: 'nothing',
    run: ({ until }, _read, { sleep, now }) =>
      sleep(msUntil(until, now()), 'Pause before retrying the refresh'),
    done: (state) => ({ ...state, retryAt: undefined }),
  },
  await_late_success: {
    lane: 'command',
    awaiting: 'nothing',
    run: ({ until }, _read, { sleep, now }) =>
      sleep(msUntil(until, now()), 'Wait for the result of an earlier refresh'),
    // A refresh may have arrived in the same workflow task in which the time ended.
    done: (state, _outcome, { step, now }) =>
      state.lostAt === step.until ? markGrantLost(state, now) : state,
  },
  resume_blocked: {
    lane: 'learn',
    awaiting: 'nothing',
    // Both at once: if the schedule cannot be created yet, blocked workflows must still resume.
    run: (_step, read, scope) =>
      Promise.all([scope.call.ensureSweep({ connectionId: read().id }), resumeBlocked(read().id, scope)]),
    done: (state, _outcome, { step }) => markResumed(state, step.resumptions),
  },
  // Runs beside the refresh of the pair in use, because the two share no token.
  check_account: rule<ConnectionState, Of<'check_account'>, AccountCheck>({
    lane: 'answer',
    awaiting: 'look-up',
    run: (_step, read, { call }) => {
      const { id, pair } = pairIn(read());
      const { generation, expiresAt, sealedAccess } = pair.tokens;
      return call.checkAccount({ connectionId: id, generation, expiresAt, sealedAccess });
    },
    done: (state, check, { step, now }) => unconfirmed.applyCheck(state, now, step.generation, check),
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
    done: unconfirmed.applyUnconfirmedRefresh,
    failed: (state, failure, { step, now }) =>
      unconfirmed.applyFailedUnconfirmedRefresh(state, now, step.generation, failure),
  }),
  pause_check: {
    lane: 'answer',
    awaiting: 'look-up',
    run: ({ until }, _read, { sleep, now }) =>
      sleep(msUntil(until, now()), 'Pause before the next account check'),
    done: unconfirmed.endPause,
  },
  flag_unconfirmed: {
    lane: 'clock',
    awaiting: 'nothing',
    run: ({ at }, _read, { sleep, now }) =>
      sleep(msUntil(at, now()), 'Wait before flagging the unconfirmed account'),
    done: (state, _outcome, { now }) => unconfirmed.flagUnconfirmed(state, now),
  },
  await_consent: { lane: 'command', awaiting: 'consent' },
  rest: { lane: 'clock', awaiting: 'nothing' },
};

function pairIn({ id, createdAt, unconfirmed: pair }: ConnectionState) {
  if (pair === undefined) throw new Error(`connection ${id} has no unconfirmed pair; expected one to check`);
  return { id, createdAt, pair };
}

async function resumeBlocked(connectionId: string, { call, sleep, now }: Scope): Promise<void> {
  // The first round signalled everything that was blocked earlier. Repeating that would cost thousands of workflows a task each.
  const since = new Date(Date.parse(now()) - LATE_COMERS_MS).toISOString();
  for (const [index, seconds] of RESUME_AT_SECONDS.entries()) {
    if (index > 0)
      await sleep(
        (seconds - (RESUME_AT_SECONDS[index - 1] ?? 0)) * 1000,
        'Pause before the next round of resumptions',
      );
    await call.resumeBlocked({ connectionId, ...(index > 0 && { since }) });
  }
}

export const CONNECTION: EntityDefinition<ConnectionState, ConnectionStep> = {
  rules: STEPS,
  desiredSteps,
  record: CONNECTION_RECORD,
  isOver: () => false,
  publish: published,
};
