// One per PayTo agreement, alive until the agreement is over. The workflow is the record of truth.
// In:  api/temporal/door.ts starts it, signals facts and asks for things.
// Out: workflows/agreement/steps.ts, which calls activities; workflows/payment/workflow.ts, by agreement-payments.ts.
import { continueAsNew, patched, setHandler } from '@temporalio/workflow';
import { agreementEvent } from '../../domain/agreement-events.js';
import * as contract from './contract.js';
import { assertAskable, takenAs, withAction } from './commands.js';
import { assertLookable, assertResolvable, withResolution } from './attention.js';
import { assertAdmissible, startPayment } from './payments.js';
import { answered, carriedAgreement, carriedOn, newAgreement, withFact } from './state.js';
import { isForThePayer, isOver, nextStep } from './next.js';
import { carryOut } from './steps.js';
import { agreementTimeline, agreementView, publishAgreement } from './view.js';
import { reconcile } from '../entity/loop.js';
import { waiting } from '../entity/state.js';
import type { ActionRequest } from '../../domain/action.js';
import type { ActionTaken, AgreementEnd, AgreementInput, AttentionResolution } from './contract.js';
import type { PaymentRequest } from './contract.js';
import type { AgreementRecord } from './state.js';
import type { AgreementStep } from './next.js';
import type { AwaitingWhat } from '../../domain/legible.js';
import type { Fact } from '../../domain/fact.js';
import type { Held } from '../entity/loop.js';
import type { Holds } from '../entity/rules.js';

/** As this run's history has it. */
const holds: Holds = patched;

export async function agreement(input: AgreementInput): Promise<AgreementEnd> {
  let record = input.carried === undefined ? newAgreement(input, now()) : carriedOn(input.carried);
  const held: Held<AgreementRecord> = {
    read: () => record,
    change: (by) => void (record = by(record)),
  };
  listen(held);

  const outcome = await reconcile<AgreementRecord, AgreementStep>({
    read: held.read,
    next,
    publish: (known, step) => {
      held.change((before) => waiting(before, awaitedIn(known, step), now(), untilOf(step)));
      publishAgreement(record);
    },
    idle: ['await_consent', 'rest', 'end'],
    run: (step) => carryOut(step, held),
    seesThrough: isSeenThrough,
    isAwaited: isInTheWay,
  });
  if (outcome === 'end') {
    const ended = answered(record, holds);
    // Whoever takes it up again asks anew: the consent that was missing may have been given since.
    return { ...agreementView(ended), record: { ...ended, blocked: undefined } };
  }
  return continueAsNew<typeof agreement>({ uid: record.uid, carried: carriedAgreement(record) });
}

/** What comes next; runs that began before a rule was made go on without it. */
function next(record: AgreementRecord): AgreementStep {
  if (record.lookAsked && isOver(record) && !holds('look-before-the-end')) return { do: 'end' };
  return nextStep(record, holds);
}

/** What was sent must not be sent again because something else is to be looked at meanwhile, or a fresh run to take over. */
const isSeenThrough = (running: AgreementStep, next: AgreementStep | 'hand_over'): boolean =>
  running.do === 'act' &&
  (next === 'hand_over'
    ? holds('commands-are-seen-through-hand-overs')
    : next.do === 'look_up' && holds('commands-are-seen-through'));

/** Of two commands the provider has to have the first before it is sent the second, and knows no key to tell a straggler by. */
const isInTheWay = (calledOff: AgreementStep, next: AgreementStep | 'hand_over'): boolean =>
  calledOff.do === 'act' && (next === 'hand_over' || next.do === 'act') && holds('commands-in-turn');

/**
 * What moves an agreement makes the last look at it old: it is no measure any more of what is new. In runs that began
 * without that rule a watch that is under way keeps its measure.
 */
function told(record: AgreementRecord, fact: Fact): AgreementRecord {
  const known = withFact(record, fact, holds);
  const isOld =
    known !== record && known.shown !== undefined && agreementEvent(fact.type)?.moves !== undefined;
  const isWatched = known.actions.some(({ stage }) => stage === 'accepted');
  if (!isOld || (isWatched && !holds('facts-outdate-looks'))) return known;
  return { ...known, shown: undefined };
}

/** Who speaks to it, and what is remembered of that. Nothing is done here: the loop decides. */
function listen(held: Held<AgreementRecord>): void {
  const { read, change } = held;
  setHandler(contract.getAgreement, () => agreementView(read()));
  setHandler(contract.getTimeline, () => agreementTimeline(read()));
  setHandler(contract.agreementFact, (fact) => change((known) => told(known, fact)));
  setHandler(contract.connectionRestored, () => change((known) => ({ ...known, blocked: undefined })));
  setHandler(contract.agreementDiffers, () => change(withLookAsked));
  setHandler(contract.requestPayment, (request) => startPayment(held, request), {
    validator: (request: PaymentRequest) => assertAdmissible(read(), request),
  });
  setHandler(contract.requestAction, (request) => take(held, request), {
    validator: (request: ActionRequest) => assertAskable(read(), request),
  });
  setHandler(contract.lookUpNow, () => change(withLookAsked), { validator: () => assertLookable(read()) });
  setHandler(contract.resolveAttention, (by) => change((known) => withResolution(known, by, now())), {
    validator: (by: AttentionResolution) => assertResolvable(read(), by),
  });
}

function take({ read, change }: Held<AgreementRecord>, request: ActionRequest): ActionTaken {
  const known = read().actions.find(({ key }) => key === request.key);
  if (known !== undefined) return takenAs(known, false);
  change((before) => withAction(before, request, now(), holds));
  return { key: request.key, kind: request.ask.kind, stage: 'asked', fresh: true };
}

const withLookAsked = (record: AgreementRecord): AgreementRecord => ({ ...record, lookAsked: true });

const now = (): string => new Date().toISOString();

const AWAITED: Readonly<Record<AgreementStep['do'], AwaitingWhat>> = {
  create: 'provider-acceptance',
  adopt: 'look-up',
  look_up: 'look-up',
  act: 'provider-acceptance',
  await_outcome: 'action-outcome',
  await_payer: 'payer-decision',
  await_consent: 'reauthorisation',
  await_deadline: 'nothing',
  rest: 'nothing',
  end: 'nothing',
};

function awaitedIn({ actions }: AgreementRecord, { do: doing }: AgreementStep): AwaitingWhat {
  const accepted = actions.filter(({ stage }) => stage === 'accepted');
  const isWithPayer = doing === 'await_outcome' && accepted.every(isForThePayer);
  return isWithPayer ? 'amendment-decision' : AWAITED[doing];
}

/** Until when at the most somebody else has to act; the end of validity is no wait for anyone. */
const untilOf = (step: AgreementStep): string | undefined =>
  step.do === 'await_payer' || step.do === 'await_outcome' ? step.until?.at : undefined;
