// Begins a part of an onboarding where it is not there yet, as the API would, and reads how it stands. By its uid, so that each attempt may
// repeat what the one before has done. While there is no news, Temporal makes the next attempt where the poll intervals say.
import { Context } from '@temporalio/activity';
import { isNews, wordOf } from '../domain/onboarding/steps.js';
import { agreementWorkflowId } from '../workflows/agreement/contract.js';
import { clientWorkflowId } from '../workflows/client/contract.js';
import { counterpartyWorkflowId } from '../workflows/counterparty/contract.js';
import { reportTo } from '../workflows/entity/contract.js';
import { nothingYet } from './failure.js';
import {
  beginAgreement,
  beginClient,
  beginCounterparty,
  readAgreement,
  readClient,
  readCounterparty,
} from './onboard/parts.js';
import { readPayment, requestedPayment } from './onboard/payment.js';
import type { Client } from '@temporalio/client';
import type { OnboardingStep, PartName, Reading } from '../domain/onboarding/steps.js';
import type { Dependencies } from './dependencies.js';
import type { PartRequest } from './onboard/request.js';

export interface OnboardArgs {
  connectionId: string;
  /** Of the onboarding, for the workflow that it waits for to report to. */
  workflowId: string;
  step: OnboardingStep;
  /** `wordOf` what the onboarding has read. */
  wordRead?: string | undefined;
  requested: PartRequest;
}

/** So often it is read before the workflow is asked to report: most that is quick is over by then. More than once, as an attempt may be lost. */
const ASKS_AT = [4, 5];
const CALL_MS = 10_000;

export function onboardActivity(deps: Pick<Dependencies, 'temporal' | 'taskQueue'>) {
  const { temporal } = deps;
  return async function onboard({ workflowId, step, wordRead, requested }: OnboardArgs): Promise<Reading> {
    const { attempt } = Context.current().info;
    const reading = await temporal.withDeadline(Date.now() + CALL_MS, () => startOrRead(deps, requested));
    if (reading !== undefined && isNews(step, reading, { wordRead, attempt })) return reading;
    if (reading !== undefined && ASKS_AT.includes(attempt))
      await askToReport(temporal, requested, { workflowId, wordRead: wordOf(reading) });
    throw nothingYet('onboarding', `the ${requested.part} is ${reading?.state ?? 'begun'}`);
  };
}

/** Nothing where it was begun just now, or cannot be read at once. */
function startOrRead(
  deps: Pick<Dependencies, 'temporal' | 'taskQueue'>,
  requested: PartRequest,
): Promise<Reading | undefined> {
  switch (requested.part) {
    case 'client':
      return readOr(readClient(deps.temporal, requested), () => beginClient(deps, requested));
    case 'counterparty':
      return readOr(readCounterparty(deps.temporal, requested), () => beginCounterparty(deps, requested));
    case 'agreement':
      return readOr(readAgreement(deps.temporal, requested), () => beginAgreement(deps, requested));
    case 'payment':
      return readOr(readPayment(deps.temporal, requested), () => requestedPayment(deps.temporal, requested));
  }
}

const readOr = async (
  read: Promise<Reading | undefined>,
  begin: () => Promise<Reading | undefined>,
): Promise<Reading | undefined> => (await read) ?? begin();

/** Those that may take days can report; a payment is read often enough. */
const REPORTING: Readonly<Partial<Record<PartName, (uid: string) => string>>> = {
  client: clientWorkflowId,
  counterparty: counterpartyWorkflowId,
  agreement: agreementWorkflowId,
};

async function askToReport(
  { workflow }: Client,
  { part, uid }: PartRequest,
  reporter: { workflowId: string; wordRead: string },
): Promise<void> {
  const workflowId = REPORTING[part]?.(uid);
  if (workflowId !== undefined) await workflow.getHandle(workflowId).signal(reportTo, reporter);
}
