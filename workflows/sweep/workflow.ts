// One sweep of a connection: the provider's list against ours, so that what no webhook reported is found all the same.
// In:  the schedule that activities/sweep/schedule.ts keeps.
// Out: activities/sweep-agreements.ts. What it finds is its result.
import { setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import { differencesIn } from '../../domain/sweep.js';
import { temporalRuntime } from '../entity/temporal.js';
import { detailsOf, detailsOfReport } from './view.js';
import type { SweepEnd, SweepInput } from './contract.js';

export async function sweep({ connectionId }: SweepInput): Promise<SweepEnd> {
  setCurrentDetails(detailsOf(connectionId));
  const { lastResult } = workflowInfo();
  const { call } = temporalRuntime().scope();
  const report = await call.sweepAgreements({ connectionId, before: differencesIn(lastResult) });
  setCurrentDetails(detailsOfReport(report));
  return report;
}
