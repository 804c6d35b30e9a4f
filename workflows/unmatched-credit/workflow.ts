// One workflow per unmatched credit: it finds the entry that confirms the credit, then waits for an operator's decision.
import { condition, setHandler, sleep, upsertMemo } from '@temporalio/workflow';
import { callUntil, remember, runNow, runSoon, runSoonFor, type Soon } from '../on-temporal/ordinary.js';
import { runOrdinary, type OrdinaryRun } from '../on-temporal/run-ordinary.js';
import { now } from '../on-temporal/run.js';
import { upgrade } from '../contracts/upgrade.js';
import * as contract from './contract.js';
import { UNMATCHED_CREDIT_RECORD } from './records.js';
import * as states from './state.js';
import { published, viewOf } from './view.js';
import type { Fact } from '../../domain/facts/fact.js';
import type { CreditResolution } from '../../domain/float/credit.js';
import type { CreditState, UnmatchedCreditEnd, UnmatchedCreditInput } from './contract.js';

interface Run extends OrdinaryRun<CreditState> {
  confirming?: Promise<void> | undefined;
  aging?: Promise<void> | undefined;
}

export async function unmatchedCredit({
  carried,
  ...input
}: UnmatchedCreditInput): Promise<UnmatchedCreditEnd> {
  const { uid, accountUid, fact } = input;
  const soon: Soon<Run> = {};
  setHandlers(soon);
  const state =
    carried === undefined
      ? await remember({
          ...{ resource: 'unmatched-credit', uid, fact, soon },
          ...{ begin: () => states.newCase(input, now()), lost: states.lostState },
        })
      : upgrade(carried);
  const run: Run = { state };
  return runOrdinary({
    setHandlers: () => {
      soon.run = run;
      // A repeat changes nothing.
      if (fact !== undefined) run.state = states.applyReport(state, fact);
    },
    ...{ run, record: UNMATCHED_CREDIT_RECORD, published },
    nextInput: (_, next): UnmatchedCreditInput => ({ uid, accountUid, carried: next }),
    ending: { isOver, mayRestart: true, result: viewOf },
    proceed: ({ isChanged }) => {
      startWaits(run);
      return condition(isChanged);
    },
  });
}

const isOver = ({ resolution, joined }: CreditState): boolean =>
  resolution !== undefined || joined !== undefined;

function setHandlers(soon: Soon<Run>): void {
  setHandler(contract.getUnmatchedCredit, () => viewOf(runNow(soon).state));
  setHandler(contract.creditReported, async (fact) => {
    const run = await runSoonFor(soon, fact);
    if (run === undefined) return;
    run.state = states.applyReport(run.state, fact);
    upsertMemo({ [contract.REPORTED_MEMO]: contract.reportedBy(fact) });
  });
  setHandler(
    contract.joinReport,
    async (fact) => {
      const run = await runSoon(soon);
      states.assertJoinable(run.state, fact);
      run.state = states.applyReport(run.state, fact);
    },
    {
      validator: (fact: Fact) => {
        if (soon.run !== undefined) states.assertJoinable(soon.run.state, fact);
      },
    },
  );
  setHandler(
    contract.resolveCredit,
    async (given) => {
      const run = await runSoon(soon);
      states.assertResolvable(run.state, given);
      run.state = states.applyResolution(run.state, given, now());
      return viewOf(run.state);
    },
    {
      validator: (given: CreditResolution) => {
        if (soon.run !== undefined) states.assertResolvable(soon.run.state, given);
      },
    },
  );
}

/** An unconfirmed case looks for its entry. An open one waits for a decision, and is flagged if there is none in time. */
function startWaits(run: Run): void {
  const { entry, decideWithinMs } = run.state;
  if (isOver(run.state)) return;
  if (entry === undefined) run.confirming ??= confirm(run);
  else if (decideWithinMs !== undefined) run.aging ??= age(run, decideWithinMs);
}

async function confirm(run: Run): Promise<void> {
  const { uid, accountUid, startedAt: since, attention, report, facts } = run.state;
  const isOverdue = attention.some(({ code }) => code === 'credit_unconfirmed');
  const confirmation = await callUntil(
    () => run.state.resolution !== undefined,
    (calls) => calls.confirmCredit({ uid, accountUid, since, isOverdue, report, fact: facts.at(-1) }),
  );
  run.confirming = undefined;
  run.state =
    confirmation === undefined ? { ...run.state } : states.applyConfirmation(run.state, confirmation, now());
}

async function age(run: Run, withinMs: number): Promise<void> {
  const { confirmedAt } = run.state;
  const dueMs = Date.parse(confirmedAt ?? run.state.startedAt) + withinMs - Date.now();
  if (dueMs > 0) await sleep(dueMs);
  run.state = states.applyAge(run.state, now());
}
