import {
  ATTENTION,
  AWAITING,
  PAYMENT_STATE,
  REFUND_STATE,
} from '../../workflows/contracts/search-attributes.js';
import type { Known } from './judge.js';
import type { ChaosStack } from './stack.js';

const OURS = "WorkflowType IN ('payment', 'refund')";
const PARKED = "Attention = 'parked'";

export interface Standing {
  running: number;
  parked: number;
  waiting: number;
}

export async function standOf({
  temporal,
  taskQueue,
}: Pick<ChaosStack, 'temporal' | 'taskQueue'>): Promise<Standing> {
  const count = async (...clauses: string[]): Promise<number> => {
    const query = [`TaskQueue = '${taskQueue}'`, "ExecutionStatus = 'Running'", ...clauses].join(' AND ');
    return (await temporal.workflow.count(query)).count;
  };
  const running = await count(OURS);
  const parked = await count(OURS, PARKED);
  const parkedRefunds = await count("WorkflowType = 'refund'", PARKED);
  return { running, parked, waiting: Math.max(running - parked - parkedRefunds, 0) };
}

export async function firstWaiting({
  temporal,
  taskQueue,
}: Pick<ChaosStack, 'temporal' | 'taskQueue'>): Promise<string[]> {
  const query = `TaskQueue = '${taskQueue}' AND ${OURS} AND ExecutionStatus = 'Running'`;
  const waiting: string[] = [];
  for await (const { workflowId, typedSearchAttributes: shown } of temporal.workflow.list({ query })) {
    if (shown.get(ATTENTION)?.includes('parked') !== true)
      waiting.push(`${workflowId} (${shown.get(AWAITING) ?? 'nothing'})`);
    if (waiting.length >= FEW) break;
  }
  return waiting;
}
const FEW = 3;

interface Run extends Known {
  since: Date;
  closeTime?: Date | undefined;
  fromMs: number;
}

export async function knownOf({
  temporal,
  taskQueue,
}: Pick<ChaosStack, 'temporal' | 'taskQueue'>): Promise<Map<string, Known>> {
  const known = new Map<string, Run>();
  const query = `TaskQueue = '${taskQueue}' AND ${OURS}`;
  for await (const run of temporal.workflow.list({ query })) {
    const { workflowId, startTime: since, closeTime, typedSearchAttributes: shown } = run;
    const uid = workflowId.slice(workflowId.indexOf('/') + 1);
    const state = shown.get(PAYMENT_STATE) ?? shown.get(REFUND_STATE) ?? 'unknown';
    const isParked = shown.get(ATTENTION)?.includes('parked') === true;
    const other = known.get(uid);
    const fromMs = Math.min(other?.fromMs ?? Infinity, since.getTime());
    const newest = (other?.since ?? since) <= since ? { state, isParked, since, closeTime } : other;
    if (newest !== undefined) known.set(uid, { ...newest, fromMs });
  }
  return new Map(
    [...known].map(([uid, { state, isParked, closeTime, fromMs }]) => [
      uid,
      { state, isParked, ...(closeTime !== undefined && { tookMs: closeTime.getTime() - fromMs }) },
    ]),
  );
}
