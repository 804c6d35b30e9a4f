// One workflow per unmatched credit: it finds the entry that confirms the credit, then waits for an operator's decision.
import { allHandlersFinished, condition, setHandler, sleep, upsertMemo } from '@temporalio/workflow';
import {
  callUntil,
  createOrdinaryRecorder,
  createPublisher,
  onHandOver,
  runProtected,
} from '../on-temporal/ordinary.js';
import { continueOnCurrentRelease, isLong, now } from '../on-temporal/run.js';
import { carry, restoreState } from '../contracts/upgrade.js';
import * as contract from './contract.js';
import { UNMATCHED_CREDIT_RECORD } from './records.js';
import * as states from './state.js';
import { published } from './view.js';
import type { CreditResolution } from '../../domain/float/credit.js';
import type { State, UnmatchedCreditEnd, UnmatchedCreditInput } from './contract.js';

interface Run {
  state: State;
  confirming?: Promise<void> | undefined;
  aging?: Promise<void> | undefined;
}

export async function unmatchedCredit({
  carried,
  ...input
}: UnmatchedCreditInput): Promise<UnmatchedCreditEnd> {
  const run: Run = { state: restoreState(carried, () => states.newCase(input, now())) };
  setHandlers(run);
  const recorder = createOrdinaryRecorder(UNMATCHED_CREDIT_RECORD, run);
  const isFinished = (): boolean => run.state.resolution !== undefined && recorder.isRecorded();
  await runProtected(async () => {
    const publish = createPublisher();
    for (;;) {
      publish(published(run.state));
      recorder.note();
      if (isFinished() || isLong()) break;
      startWaits(run);
      const before = run.state;
      recorder.store();
      await condition(() => run.state !== before || isFinished());
    }
    await condition(allHandlersFinished);
    recorder.note();
  });
  if (isFinished()) return states.viewOf(run.state);
  const { uid, accountUid } = input;
  const carriedOn = { uid, accountUid, carried: carry(recorder.carried()) };
  return continueOnCurrentRelease<typeof unmatchedCredit>(carriedOn);
}

function setHandlers(run: Run): void {
  setHandler(contract.getUnmatchedCredit, () => states.viewOf(run.state));
  setHandler(contract.creditReported, (fact) => {
    run.state = states.recordReport(run.state, fact);
    upsertMemo({ [contract.REPORTED_MEMO]: contract.reportedBy(fact) });
  });
  setHandler(
    contract.resolveCredit,
    (given) => {
      run.state = states.recordResolution(run.state, given, now());
      return states.viewOf(run.state);
    },
    { validator: (given: CreditResolution) => states.assertResolvable(run.state, given) },
  );
  onHandOver(() => void (run.state = { ...run.state }));
}

/** An unconfirmed case looks for its entry. An open one waits for a decision, and is flagged if there is none in time. */
function startWaits(run: Run): void {
  const { entry, decideWithinMs, resolution } = run.state;
  if (resolution !== undefined) return;
  if (entry === undefined) run.confirming ??= confirm(run);
  else if (decideWithinMs !== undefined) run.aging ??= age(run, decideWithinMs);
}

async function confirm(run: Run): Promise<void> {
  const { uid, accountUid, startedAt: since, attention } = run.state;
  const isOverdue = attention.some(({ code }) => code === 'credit_unconfirmed');
  const confirmation = await callUntil(
    () => run.state.resolution !== undefined,
    (calls) => calls.confirmCredit({ uid, accountUid, since, isOverdue }),
  );
  run.confirming = undefined;
  run.state =
    confirmation === undefined ? { ...run.state } : states.recordConfirmation(run.state, confirmation, now());
}

async function age(run: Run, withinMs: number): Promise<void> {
  const { confirmedAt } = run.state;
  const dueMs = Date.parse(confirmedAt ?? run.state.startedAt) + withinMs - Date.now();
  if (dueMs > 0) await sleep(dueMs);
  run.state = states.recordAge(run.state, now());
}
