// Starts, reads and lists agreement workflows.
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { claimAgreementUid } from '../../delivery/claim.js';
import { begin, agreementStart } from '../../delivery/starts.js';
import { differenceFromAgreement, isVacant } from '../../domain/commands/repeat.js';
import type { KeyUse } from '../../domain/commands/key-use.js';
import type { Mandate } from '../../domain/agreement/mandate.js';
import type { Payer } from '../../domain/agreement/payer.schema.js';
import { wholeEntry } from '../../domain/payment/outcome.js';
import { agreementWorkflowId, getAgreement } from '../../workflows/agreement/contract.js';
import type {
  AgreementEnd,
  AgreementView,
  RecordedAgreementView,
} from '../../workflows/agreement/contract.js';
import { upgrade } from '../../workflows/contracts/every-workflow.js';
import { ApiError } from '../http/problems/errors.js';
import type { RowsRequest } from '../../records/lists.js';
import { createAgreementCommands } from './agreement-commands.js';
import type { AgreementCommands } from './agreement-commands.js';
import { oneAtATime } from './temporal/calls.js';
import type { Calls } from './temporal/calls.js';
import { withKey } from './temporal/key-binding.js';
import type { ListPage, Recordable } from './records.js';

const CLAIM_MS = 10_000;

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
  start: (requested: AgreementStart) => Promise<RecordedAgreementView>;
  view: (uid: string) => Promise<RecordedAgreementView | undefined>;
  /** With its payments, as the agreement counts them. */
  whole: (uid: string) => Promise<AgreementView | undefined>;
  list: (request: RowsRequest) => Promise<ListPage<RecordedAgreementView>>;
}

export function createAgreementsGateway(
  calls: Calls,
  connectionFor: (id: string | undefined) => Promise<string>,
): AgreementsGateway {
  const whole = oneAtATime((uid) => readAgreement(calls, uid));
  const view: AgreementsGateway['view'] = (uid) => calls.recorded.view(agreementOf(uid), () => whole(uid));
  return {
    view,
    whole,
    list: (request) => calls.recorded.list('agreement', request),
    ...createAgreementCommands(calls),
    start: async (requested) => {
      const { connection, use, uid } = requested;
      const existing = async (error: unknown, connectionId?: string) => {
        const found = await view(uid);
        if (found === undefined) throw error;
        const isClaimed = connectionId !== undefined && isVacant(found);
        return sameOrRefused(requested, isClaimed ? await claim(calls, requested, connectionId) : found);
      };
      const connectionId = await connectionFor(connection).catch(async (error: unknown) => {
        const found = isAboutConnection(error) ? await view(uid) : undefined;
        // A repeat succeeds even if the connection has ended since.
        if (found === undefined || isVacant(found)) throw error;
        return undefined;
      });
      return withKey(calls, use, 'agreement', () =>
        connectionId === undefined
          ? existing(undefined)
          : startNew(calls, requested, connectionId).catch((error: unknown) => {
              if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
              return existing(error, connectionId);
            }),
      );
    },
  };
}

const agreementOf = (uid: string): Recordable => ({
  resource: 'agreement',
  uid,
  workflowId: agreementWorkflowId(uid),
});

/** Undefined if no workflow has the uid. @throws ApiError `worker_unavailable`, `workflow_paused` or `temporal_unavailable`. */
export const readAgreement = (calls: Calls, uid: string): Promise<AgreementView | undefined> =>
  calls.read(agreementWorkflowId(uid), getAgreement, ({ carried, ...view }: AgreementEnd): AgreementView => ({
    ...view,
    payments: upgrade(carried).ledger.map(wholeEntry),
    paymentsOlder: upgrade(carried).paymentsOlder,
  }));

const isAboutConnection = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'connection_required' || error.code === 'connection_unknown');

async function startNew(
  calls: Calls,
  requested: AgreementStart,
  connectionId: string,
): Promise<RecordedAgreementView> {
  const now = new Date();
  await calls.short(() => begin(calls, agreementStart(inputOf(requested, connectionId), now)));
  return started(requested, connectionId, now.toISOString());
}

const claim = (
  calls: Calls,
  requested: AgreementStart,
  connectionId: string,
): Promise<RecordedAgreementView> =>
  calls.update(agreementWorkflowId(requested.uid), CLAIM_MS, () =>
    claimAgreementUid(calls, inputOf(requested, connectionId)),
  );

const inputOf = ({ uid, mandate, payer, by }: AgreementStart, connectionId: string) => ({
  ...{ uid, connectionId, mandate, payer, requestedBy: by },
});

/** The view of an agreement that has just been started, built without a query. */
function started(
  { uid, mandate, by }: Pick<AgreementStart, 'uid' | 'mandate' | 'by'>,
  connectionId: string,
  since: string,
): RecordedAgreementView {
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
    paymentCount: 0,
    consecutiveFailures: { count: 0, stopsPayments: false },
    factCount: 0,
    pending: [{ kind: 'creation', requestedAt: since, isAccepted: false }],
    actions: [],
  };
}

/** @throws ApiError `idempotency_conflict` */
export function sameOrRefused(
  { uid, connection, mandate }: AgreementStart,
  found: RecordedAgreementView,
): RecordedAgreementView {
  const pointer = differenceFromAgreement({ connection, mandate }, found);
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
