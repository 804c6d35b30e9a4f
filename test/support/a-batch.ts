import { randomUUID } from 'node:crypto';
import { workflowIdOf } from '../../domain/resources.js';
import { A_MANDATE, anOrder } from './workflows/provider.js';
import type { Entry, RecordBatch } from '../../domain/records/batch.js';

const AT = '2026-11-01T02:03:04.000Z';

export const anEntry = (sequence: number, over: Partial<Entry> = {}): Entry => ({
  sequence,
  kind: 'fact',
  name: 'settled',
  factId: `event-${sequence}`,
  at: AT,
  data: { id: `event-${sequence}`, type: 'settled' },
  ...over,
});

export function aPaymentBatch(over: Partial<RecordBatch> = {}): RecordBatch {
  const { resource = 'payment', uid = `pay-${randomUUID()}` } = over;
  return {
    resource,
    uid,
    workflowId: workflowIdOf(resource, uid),
    ...{ runId: 'run-1', identity: 'run-1' },
    connectionId: 'acme',
    follows: 0,
    taskFollows: 0,
    entries: [anEntry(1)],
    row: { version: 2, at: AT, view: aPaymentView({ uid }) },
    ...over,
  };
}

export const aPaymentView = (over: object = {}): object => ({
  state: 'settled',
  stateSince: AT,
  awaiting: { what: 'nothing', since: AT },
  attention: [],
  requestedAt: AT,
  order: { ...anOrder('agr-1'), amount: 4200, debtor: A_MANDATE.debtor },
  submissions: 1,
  refunds: [
    { uid: 'ref-1', amount: 1200, outcome: 'processed', outcomeAt: AT, requestedAt: AT },
    { uid: 'ref-2', amount: 500, outcome: 'failed', outcomeAt: AT, requestedAt: AT },
  ],
  ...over,
});
