// One sweep of a connection: the provider's list against ours, so that what no webhook told of is found all the same.
// In:  the schedule that activities/sweep-schedule.ts keeps.
// Out: activities/sweep-agreements.ts. What it finds is its result.
import { setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import { toldIn } from '../../domain/sweep.js';
import { sweepAgreements } from '../entity/calls.js';
import { underWay, wordsOf } from './view.js';
import type { SweepEnd, SweepInput } from './contract.js';

export async function sweep({ connectionId }: SweepInput): Promise<SweepEnd> {
  setCurrentDetails(underWay(connectionId));
  const { lastResult } = workflowInfo();
  const report = await sweepAgreements({ connectionId, told: toldIn(lastResult) });
  setCurrentDetails(wordsOf(report));
  return report;
}
