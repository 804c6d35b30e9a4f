// Agreements as Temporal's lists know them: by their search attributes, asking no workflow.
// In:  api/temporal/agreements.ts. Out: Temporal's visibility store.
import { defaultPayloadConverter } from '@temporalio/common';
import { z } from 'zod';
import { AGREEMENT_WORKFLOW, agreementWorkflowId } from '../../workflows/agreement/contract.js';
import type { AgreementView } from '../../workflows/agreement/contract.js';
import { ATTENTION_CODES, AWAITED } from '../../domain/legible.js';
import { STATES_SHOWN } from '../schemas/parameters.schema.js';
import type { AgreementsQuery } from '../schemas/parameters.schema.js';
import type { Calls } from './calls.js';

/** As much of an agreement as lists know; what is absent was not published yet. */
export interface ListedAgreement {
  uid: string;
  connectionId?: string | undefined;
  state?: AgreementView['state'] | undefined;
  awaiting?: AgreementView['awaiting']['what'] | undefined;
  awaitingSince?: string | undefined;
  attention: AgreementView['attention'][number]['code'][];
  lastFactAt?: string | undefined;
}

export interface AgreementsPage {
  agreements: ListedAgreement[];
  /** Where the next page begins; absent on the last one. */
  next: string | undefined;
}

/** @param query whose cursor is the `next` of the page before; any other is taken for an outage. */
export async function listAgreements(calls: Calls, query: AgreementsQuery): Promise<AgreementsPage> {
  const { per_page: pageSize, cursor, ...filters } = query;
  const { client } = calls;
  const { namespace } = client.options;
  const nextPageToken = Buffer.from(cursor ?? '', 'base64url');
  const request = { namespace, pageSize, query: visibilityQuery(filters), nextPageToken };
  const answer = await calls.short(() => client.workflowService.listWorkflowExecutions(request));
  const listed = answer.executions.map(({ execution, searchAttributes }) =>
    listedAgreement(execution?.workflowId ?? '', searchAttributes?.indexedFields ?? {}),
  );
  return {
    // A late event begins a run anew; of the runs of one agreement the newest comes first, and stands for all.
    agreements: listed.filter(({ uid }, index) => listed.findIndex((other) => other.uid === uid) === index),
    next:
      answer.nextPageToken.length > 0 ? Buffer.from(answer.nextPageToken).toString('base64url') : undefined,
  };
}

/** Every value comes from a closed list or the alphabet of uids, so none can end its quotes. */
function visibilityQuery(filters: Omit<AgreementsQuery, 'per_page' | 'cursor'>): string {
  const { state, awaiting, attention, connection } = filters;
  const asked = { AgreementState: state, Awaiting: awaiting, Attention: attention, ConnectionId: connection };
  const terms = [`WorkflowType = '${AGREEMENT_WORKFLOW}'`, "ExecutionStatus != 'ContinuedAsNew'"];
  for (const [name, value] of Object.entries(asked))
    if (value !== undefined) terms.push(`${name} = '${value}'`);
  return terms.join(' AND ');
}

const instant = z.coerce
  .date()
  .transform((date) => date.toISOString())
  .optional()
  .catch(undefined);

const Listed = z.object({
  AgreementState: z.enum(STATES_SHOWN).optional().catch(undefined),
  Awaiting: z.enum(AWAITED).optional().catch(undefined),
  AwaitingSince: instant,
  ConnectionId: z.string().optional().catch(undefined),
  LastFactAt: instant,
  Attention: z.array(z.enum(ATTENTION_CODES)).catch([]),
});

type Payload = Parameters<typeof defaultPayloadConverter.fromPayload>[0];

function listedAgreement(workflowId: string, fields: Readonly<Record<string, Payload>>): ListedAgreement {
  const read = Object.entries(fields).map(([name, field]) => [
    name,
    defaultPayloadConverter.fromPayload(field),
  ]);
  const listed = Listed.parse(Object.fromEntries(read));
  return {
    uid: workflowId.slice(agreementWorkflowId('').length),
    connectionId: listed.ConnectionId,
    state: listed.AgreementState,
    awaiting: listed.Awaiting,
    awaitingSince: listed.AwaitingSince,
    attention: listed.Attention,
    lastFactAt: listed.LastFactAt,
  };
}
