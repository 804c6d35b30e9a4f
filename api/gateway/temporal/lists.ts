// Lists workflows by their search attributes, without a query to any workflow.
import { defaultPayloadConverter } from '@temporalio/common';
import { z } from 'zod';
import { AGREEMENT_WORKFLOW, agreementWorkflowId } from '../../../workflows/agreement/contract.js';
import { BATCH_WORKFLOW, batchWorkflowId } from '../../../workflows/batch/contract.js';
import { CLIENT_WORKFLOW, clientWorkflowId } from '../../../workflows/client/contract.js';
import { ONBOARDING_WORKFLOW, onboardingWorkflowId } from '../../../workflows/onboarding/contract.js';
import { COUNTERPARTY_WORKFLOW, counterpartyWorkflowId } from '../../../workflows/counterparty/contract.js';
import { PAYMENT_WORKFLOW, paymentWorkflowId } from '../../../workflows/payment/contract.js';
import { REFUND_WORKFLOW, refundWorkflowId } from '../../../workflows/refund/contract.js';
import { requestedBefore } from '../../../domain/agreement/reminder.js';
import { ATTENTION_CODES } from '../../../domain/attention/flags.js';
import { AWAITED } from '../../../domain/attention/awaiting.js';
import type { AgreementLifecycleState } from '../../../domain/agreement/lifecycle.js';
import type { AttentionCode } from '../../../domain/attention/flags.js';
import type { AwaitingWhat } from '../../../domain/attention/awaiting.js';
import {
  CLIENT_VIEW_STATES,
  ONBOARDING_PLACES,
  PAYMENT_VIEW_STATES,
  REFUND_VIEW_STATES,
  VIEW_STATES,
} from '../../http/parameters.schema.js';
import type { ListQuery } from '../../http/parameters.schema.js';
import type { Calls } from './calls.js';
import { runsPage } from './runs-page.js';
import type { ReadRuns } from './runs-page.js';

/** A workflow type that can be listed, and the search attribute that contains its state. */
interface Listing<State extends string> {
  workflow: string;
  workflowId: (uid: string) => string;
  /** Absent if no search attribute contains the state. */
  attribute?: string;
  states: readonly State[];
}

const listing = <State extends string>(given: Listing<State>): Listing<State> => given;

export const LISTINGS = {
  agreements: listing({
    workflow: AGREEMENT_WORKFLOW,
    workflowId: agreementWorkflowId,
    attribute: 'AgreementState',
    states: VIEW_STATES,
  }),
  payments: listing({
    workflow: PAYMENT_WORKFLOW,
    workflowId: paymentWorkflowId,
    attribute: 'PaymentState',
    states: PAYMENT_VIEW_STATES,
  }),
  refunds: listing({
    workflow: REFUND_WORKFLOW,
    workflowId: refundWorkflowId,
    attribute: 'RefundState',
    states: REFUND_VIEW_STATES,
  }),
  clients: listing({
    workflow: CLIENT_WORKFLOW,
    workflowId: clientWorkflowId,
    attribute: 'ClientState',
    states: CLIENT_VIEW_STATES,
  }),
  onboardings: listing({
    workflow: ONBOARDING_WORKFLOW,
    workflowId: onboardingWorkflowId,
    attribute: 'OnboardingStep',
    states: ONBOARDING_PLACES,
  }),
  counterparties: listing<never>({
    workflow: COUNTERPARTY_WORKFLOW,
    workflowId: counterpartyWorkflowId,
    attribute: '',
    states: [],
  }),
  /** No search attribute contains the state. `Awaiting` shows whether the batch has ended. */
  batches: listing<never>({
    workflow: BATCH_WORKFLOW,
    workflowId: batchWorkflowId,
    attribute: '',
    states: [],
  }),
} as const;

/** The fields of a resource that lists contain. Absent fields are not published yet. */
export interface Listed<State extends string> {
  uid: string;
  connectionId?: string | undefined;
  /** Only for payments. */
  agreementUid?: string | undefined;
  /** The provider's id: of the client itself, or of the client that initiates the agreement. */
  clientId?: string | undefined;
  state?: State | undefined;
  awaiting?: AwaitingWhat | undefined;
  awaitingSince?: string | undefined;
  attention: AttentionCode[];
  lastFactAt?: string | undefined;
  /** Only for payments and refunds. */
  requestedAt?: string | undefined;
}

type StateOf<Kind extends keyof typeof LISTINGS> = (typeof LISTINGS)[Kind]['states'][number];
export type ListedAgreement = Listed<StateOf<'agreements'>>;
export type ListedPayment = Listed<StateOf<'payments'>>;
export type ListedRefund = Listed<StateOf<'refunds'>>;
export type ListedClient = Listed<StateOf<'clients'>>;
export type ListedOnboarding = Listed<StateOf<'onboardings'>>;
export type ListedCounterparty = Listed<never>;
export type ListedBatch = Listed<never>;

export interface ListPage<Item> {
  items: Item[];
  /** The cursor of the next page. Absent on the last page. */
  next: string | undefined;
}

/** Lists one page. The cursor is `next` of the previous page. */
export async function listRuns<State extends string>(
  calls: Calls,
  kind: Listing<State>,
  { per_page: size, cursor, ...filters }: ListQuery<State>,
): Promise<ListPage<Listed<State>>> {
  const read = readingRuns(calls, kind.workflow);
  const { runs, next } = await runsPage(read, { terms: termsOf(kind, filters), size, cursor });
  return { items: runs.map(({ workflowId, fields }) => listed(kind, workflowId, fields)), next };
}

interface Timestamp {
  seconds?: { toNumber(): number } | null;
  nanos?: number | null;
}

export type Fields = Readonly<Record<string, Payload>>;

/** Reads runs of one workflow type. Terms must be safe to insert into a visibility query, as in `termsOf`. */
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

/** Keeps all nine digits, because two runs may start in the same millisecond. */
const textOf = ({ seconds, nanos }: Timestamp): string => {
  const [second = ''] = new Date((seconds?.toNumber() ?? 0) * 1000).toISOString().split('.');
  return `${second}.${String(nanos ?? 0).padStart(9, '0')}Z`;
};

/**
 * Every value is from a closed list, a uid, or an instant that we formatted, so none can break out of its quotes.
 * Uses `RequestedAt`, because `StartTime` is the start of the latest run.
 */
function termsOf<State extends string>(
  { attribute }: Listing<State>,
  filters: Omit<ListQuery<State>, 'per_page' | 'cursor'>,
): string[] {
  const {
    state,
    awaiting,
    attention,
    connection,
    agreement,
    client,
    unanswered,
    created_from: from,
    created_until: until,
  } = filters;
  const requested: [string, string | undefined][] = [
    [`${attribute ?? ''} =`, state],
    ['Awaiting =', awaiting],
    ['Attention =', attention],
    ['ConnectionId =', connection],
    ['AgreementUid =', agreement],
    ['ClientId =', client],
    ['RequestedAt >=', from],
    ['RequestedAt <', until],
  ];
  if (unanswered !== undefined)
    requested.push(
      ['AgreementState =', 'created' satisfies AgreementLifecycleState],
      ['RequestedAt <=', requestedBefore(unanswered, new Date().toISOString())],
    );
  return requested.flatMap(([compared, value]) => (value === undefined ? [] : [`${compared} '${value}'`]));
}

const instant = z.coerce
  .date()
  .transform((date) => date.toISOString())
  .optional()
  .catch(undefined);

const keyword = z.string().optional().catch(undefined);

const Published = z.object({
  Awaiting: z.enum(AWAITED).optional().catch(undefined),
  AwaitingSince: instant,
  ConnectionId: keyword,
  AgreementUid: keyword,
  ClientId: keyword,
  LastFactAt: instant,
  RequestedAt: instant,
  Attention: z.array(z.enum(ATTENTION_CODES)).catch([]),
});

type Payload = Parameters<typeof defaultPayloadConverter.fromPayload>[0];

/** Reads the fields of a resource from the search attributes of its run. */
export function listed<State extends string>(
  { workflowId: idOf, attribute, states }: Listing<State>,
  workflowId: string,
  fields: Fields,
): Listed<State> {
  const read = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, defaultPayloadConverter.fromPayload(field)]),
  );
  const published = Published.parse(read);
  return {
    uid: workflowId.slice(idOf('').length),
    connectionId: published.ConnectionId,
    agreementUid: published.AgreementUid,
    clientId: published.ClientId,
    state: attribute === undefined ? undefined : states.find((state) => state === read[attribute]),
    awaiting: published.Awaiting,
    awaitingSince: published.AwaitingSince,
    attention: published.Attention,
    lastFactAt: published.LastFactAt,
    requestedAt: published.RequestedAt,
  };
}
