// One sweep of a connection: the provider's lists against ours, so that what no webhook reported is found all the same; and what
// waits for consent, though there is one, is resumed.
// In:  the schedule that activities/sweep/schedule.ts keeps.
// Out: activities/sweep-lists.ts and activities/resume-blocked.ts. What it finds is its result.
import { setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import { differencesIn, paymentsIn } from '../../domain/sweep.js';
import { interruptibleCalls } from '../entity/temporal.js';
import { detailsOf, detailsOfEnd } from './view.js';
import type { SweepEnd, SweepInput } from './contract.js';

export async function sweep({ connectionId }: SweepInput): Promise<SweepEnd> {
  setCurrentDetails(detailsOf(connectionId));
  const { lastResult } = workflowInfo();
  const calls = interruptibleCalls();
  const agreements = await calls.sweepAgreements({ connectionId, before: differencesIn(lastResult) });
  const payments = await calls.sweepPayments({
    connectionId,
    before: differencesIn(paymentsIn(lastResult)),
  });
  // The provider has answered, so who still waits for consent has missed that there is one.
  const isHealthy = agreements.pages + payments.pages > 0;
  const resumed = isHealthy ? await calls.resumeBlocked({ connectionId }) : undefined;
  const end = { ...agreements, payments, resumed };
  setCurrentDetails(detailsOfEnd(end));
  return end;
}
