// Starts, reads and lists agreement workflows.
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { begin, agreementStart } from '../../delivery/starts.js';
import { differenceFromAgreement } from '../../domain/commands/repeat.js';
import type { KeyUse } from '../../domain/commands/key-use.js';
import type { Mandate } from '../../domain/agreement/mandate.js';
import type { Payer } from '../../domain/agreement/payer.schema.js';
import { wholeEntry } from '../../domain/payment/outcome.js';
import { timelineOf } from '../../domain/facts/timeline.js';
import type { OlderFacts, Timeline } from '../../domain/facts/timeline.js';
import { agreementWorkflowId, getAgreement, getTimeline } from '../../workflows/agreement/contract.js';
import type { AgreementEnd, AgreementInput, AgreementView } from '../../workflows/agreement/contract.js';
import type { HistoryQuestion } from '../../workflows/history/contract.js';
import { upgrade } from '../../workflows/entity/contract.js';
import { ApiError } from '../http/problems/errors.js';
import type { ListQuery } from '../http/parameters.schema.js';
import { createAgreementCommands } from './agreement-commands.js';
import type { AgreementCommands } from './agreement-commands.js';
import { oneAtATime } from './temporal/calls.js';
import type { Calls } from './temporal/calls.js';
import { readOlder } from './temporal/history.js';
import { bindKey } from './temporal/key-binding.js';
import { LISTINGS, listRuns } from './temporal/lists.js';
import type { ListPage, ListedAgreement } from './temporal/lists.js';

export interface AgreementStart {
  uid: string;
  /** Optional if there is only one connection. */
  connection: string | undefined;
  mandate: Mandate;
  payer?: Payer | undefined;
  /** The use of the caller's Idempotency-Key, if the request has one. */
  use?: KeyUse | undefined;
  /** The principal that requests it. */
  by?: string | undefined;
}

export interface AgreementsGateway extends AgreementCommands {
  /** Starts an agreement, or returns it for a repeat. Refuses a different request with the same uid or key. */
  start: (requested: AgreementStart) => Promise<AgreementView>;
  view: (uid: string) => Promise<AgreementView | undefined>;
  timeline: (uid: string) => Promise<Timeline | undefined>;
  /** Facts that our state no longer stores. A history workflow reads them from the provider. */
  older: (question: HistoryQuestion) => Promise<OlderFacts>;
  list: (query: ListQuery<AgreementView['state']>) => Promise<ListPage<ListedAgreement>>;
}

export function createAgreementsGateway(
  calls: Calls,
  connectionFor: (id: string | undefined) => Promise<string>,
): AgreementsGateway {
  const view = oneAtATime((uid) => readAgreement(calls, uid));
  return {
    view,
    timeline: (uid) =>
      calls.read(agreementWorkflowId(uid), getTimeline, ({ carried }: AgreementEnd) =>
        timelineOf(upgrade(carried)),
      ),
    older: (question) => readOlder(calls, question),
    list: (query) => listRuns(calls, LISTINGS.agreements, query),
    ...createAgreementCommands(calls),
    start: async (requested) => {
      try {
        const connectionId = await connectionFor(requested.connection);
        await bindKey(calls, requested.use);
        return await startNew(calls, requested, connectionId);
      } catch (error) {
        // A repeat succeeds even if the connection has ended since.
        const isConnectionMissing = isAboutConnection(error);
        if (!(error instanceof WorkflowExecutionAlreadyStartedError) && !isConnectionMissing) throw error;
        const found = await view(requested.uid);
        if (found === undefined) throw error;
        if (isConnectionMissing) await bindKey(calls, requested.use);
        return sameOrRefused(requested, found);
      }
    },
  };
}

/** Undefined if no workflow has the uid. @throws ApiError `worker_unavailable` or `temporal_unavailable`. */
export const readAgreement = (calls: Calls, uid: string): Promise<AgreementView | undefined> =>
  calls.read(agreementWorkflowId(uid), getAgreement, ({ carried, ...view }: AgreementEnd): AgreementView => ({
    ...view,
    payments: upgrade(carried).ledger.map(wholeEntry),
  }));

const isAboutConnection = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'connection_required' || error.code === 'connection_unknown');

async function startNew(
  calls: Calls,
  { uid, mandate, payer, by }: AgreementStart,
  connectionId: string,
): Promise<AgreementView> {
  const now = new Date();
  const input: AgreementInput = { uid, connectionId, mandate, payer, requestedBy: by };
  await calls.short(() => begin(calls, agreementStart({ ...input, connectionId }, now)));
  return started({ uid, mandate, by }, connectionId, now.toISOString());
}

/** The view of an agreement that has just been started, built without a query. */
function started(
  { uid, mandate, by }: Pick<AgreementStart, 'uid' | 'mandate' | 'by'>,
  connectionId: string,
  since: string,
): AgreementView {
  return {
    uid,
    connectionId,
    requestedMandate: mandate,
    mandate,
    state: 'pending',
    stateSince: since,
    adopted: false,
    createdAt: since,
    requestedBy: by,
    awaiting: { what: 'provider-acceptance', since },
    attention: [],
    payments: [],
    paymentsOlder: 0,
    consecutiveFailures: { count: 0, stopsPayments: false },
    factCount: 0,
    pending: [{ kind: 'creation', requestedAt: since, isAccepted: false }],
    actions: [],
  };
}

/** @throws ApiError `idempotency_conflict`, or `look_up_pending` until the look-up has found terms to compare. */
export function sameOrRefused(
  { uid, connection, mandate }: AgreementStart,
  found: AgreementView,
): AgreementView {
  const pointer = differenceFromAgreement({ connection, mandate }, found);
  if (pointer === 'nothing_to_compare') throw lookUpPending(uid);
  if (pointer === undefined) return found;
  throw new ApiError('idempotency_conflict', `Agreement ${uid} already exists with different values.`, {
    errors: [
      {
        pointer: pointer === '' ? '/uid' : pointer,
        detail: 'expected the value of the first request with this uid',
      },
    ],
  });
}

const lookUpPending = (uid: string): ApiError =>
  new ApiError(
    'look_up_pending',
    `Agreement ${uid} was not created through this API. We are looking it up at the provider. Repeat the same request later.`,
  );
