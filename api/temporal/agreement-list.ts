// Agreements as Temporal's lists know them: by their search attributes, asking no workflow.
// In:  api/temporal/agreements.ts. Out: api/temporal/runs-page.ts, and so Temporal's visibility store.
import { defaultPayloadConverter } from '@temporalio/common';
import { z } from 'zod';
import { AGREEMENT_WORKFLOW, agreementWorkflowId } from '../../workflows/agreement/contract.js';
import type { AgreementView } from '../../workflows/agreement/contract.js';
import { ATTENTION_CODES, AWAITED } from '../../domain/legible.js';
import { VIEW_STATES } from '../schemas/parameters.schema.js';
import type { AgreementsQuery } from '../schemas/parameters.schema.js';
import type { Calls } from './calls.js';
import { runsPage } from './runs-page.js';
import type { ReadRuns } from './runs-page.js';

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

/** @param query whose cursor is the `next` of the page before. */
export async function listAgreements(calls: Calls, query: AgreementsQuery): Promise<AgreementsPage> {
  const { per_page: size, cursor, ...filters } = query;
  const { runs, next } = await runsPage(readingRuns(calls, AGREEMENT_WORKFLOW), {
    terms: termsOf(filters),
    size,
    cursor,
  });
  return { agreements: runs.map(({ workflowId, fields }) => listedAgreement(workflowId, fields)), next };
}

interface Timestamp {
  seconds?: { toNumber(): number } | null;
  nanos?: number | null;
}

export type Fields = Readonly<Record<string, Payload>>;

export function readingRuns(calls: Calls, workflow: string): ReadRuns<Fields> {
  const { client } = calls;
  const { namespace } = client.options;
  return async (terms, pageSize, token) => {
    const nextPageToken = Buffer.from(token, 'base64url');
    const query = [`WorkflowType = '${workflow}'`, ...terms].join(' AND ');
    const request = { namespace, pageSize, query, nextPageToken };
    const answer = await calls.short(() => client.workflowService.listWorkflowExecutions(request));
    return {
      runs: answer.executions.map(({ execution, startTime, closeTime, searchAttributes }) => ({
        workflowId: execution?.workflowId ?? '',
        runId: execution?.runId ?? '',
        startedAt: textOf(startTime ?? {}),
        isOpen: closeTime == null,
        fields: searchAttributes?.indexedFields ?? {},
      })),
      token: Buffer.from(answer.nextPageToken).toString('base64url'),
    };
  };
}

/** With all its digits: two runs of one millisecond have different ones. */
const textOf = ({ seconds, nanos }: Timestamp): string => {
  const [second = ''] = new Date((seconds?.toNumber() ?? 0) * 1000).toISOString().split('.');
  return `${second}.${String(nanos ?? 0).padStart(9, '0')}Z`;
};

/** Every value comes from a closed list or the alphabet of uids, so none can end its quotes. */
function termsOf(filters: Omit<AgreementsQuery, 'per_page' | 'cursor'>): string[] {
  const { state, awaiting, attention, connection, client } = filters;
  const asked = {
    AgreementState: state,
    Awaiting: awaiting,
    Attention: attention,
    ConnectionId: connection,
    ClientId: client,
  };
  return Object.entries(asked).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name} = '${value}'`],
  );
}

const instant = z.coerce
  .date()
  .transform((date) => date.toISOString())
  .optional()
  .catch(undefined);

const Listed = z.object({
  AgreementState: z.enum(VIEW_STATES).optional().catch(undefined),
  Awaiting: z.enum(AWAITED).optional().catch(undefined),
  AwaitingSince: instant,
  ConnectionId: z.string().optional().catch(undefined),
  LastFactAt: instant,
  Attention: z.array(z.enum(ATTENTION_CODES)).catch([]),
});

type Payload = Parameters<typeof defaultPayloadConverter.fromPayload>[0];

/** The search attributes of a run, by name. */
export const publishedIn = (fields: Fields): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, defaultPayloadConverter.fromPayload(field)]),
  );

function listedAgreement(workflowId: string, fields: Fields): ListedAgreement {
  const listed = Listed.parse(publishedIn(fields));
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
