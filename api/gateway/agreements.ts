// Starts, reads and lists agreement workflows.
import { claimAgreementUid } from '../../delivery/claim.js';
import { agreementStart } from '../../delivery/starts.js';
import { differenceFromAgreement, isVacant } from '../../domain/agreement/repeat.js';
import type { KeyUse } from '../../domain/commands/key-use.js';
import type { Mandate } from '../../domain/agreement/mandate.js';
import type { Payer } from '../../domain/agreement/payer.schema.js';
import { wholeEntry } from '../../domain/payment/outcome.js';
import { workflowIdOf } from '../../domain/resources.js';
import {
  getAgreement,
  type AgreementEnd,
  type AgreementView,
  type RecordedAgreementView,
} from '../../workflows/agreement/contract.js';
import { firstView, viewOf } from '../../workflows/agreement/view.js';
import { upgrade } from '../../workflows/contracts/every-workflow.js';
import { requestedByCaller, type Caller } from '../http/caller.js';
import { ApiError, found } from '../http/problems/errors.js';
import type { ConnectionChoice } from './connection-choice.js';
import { sameOrRefused, storedReads, type ResourceReads } from './resource.js';
import { createAgreementCommands, type AgreementCommands } from './agreement-commands.js';
import { oneAtATime, type Calls } from './temporal/calls.js';
import { rememberedOf } from './temporal/forgotten.js';
import { ANSWER_MS } from './temporal/updates.js';
import { withKey } from './temporal/key-binding.js';
import { startNew } from './temporal/start.js';

interface AgreementStart {
  uid: string;
  /** Optional if there is only one connection. */
  connection: string | undefined;
  mandate: Mandate;
  payer?: Payer | undefined;
  /** The use of the caller's Idempotency-Key, if the request has one. */
  use?: KeyUse | undefined;
  /** Who requests it. */
  caller?: Caller | undefined;
}

interface AgreementsGateway extends ResourceReads<RecordedAgreementView>, AgreementCommands {
  /** Starts an agreement, or returns it for a repeat. Refuses a different request with the same uid or key. */
  start: (requested: AgreementStart) => Promise<RecordedAgreementView>;
  /** With its payments, as the agreement counts them. */
  whole: (uid: string) => Promise<AgreementView | undefined>;
}

export function createAgreementsGateway(calls: Calls, choose: ConnectionChoice['choose']): AgreementsGateway {
  const fromRun = oneAtATime((uid) => readAgreement(calls, uid));
  const { view, list } = storedReads<RecordedAgreementView>(calls, 'agreement', fromRun);
  return {
    view,
    whole: async (uid) => (await fromRun(uid)) ?? readWholeRecord(calls, uid),
    list,
    ...createAgreementCommands(calls),
    start: async (requested) => {
      const { connection, use, uid } = requested;
      const { row, isUnchecked } = await calls.recorded.before({ resource: 'agreement', uid });
      // A uid that only events have named is free.
      const isTaken = row !== undefined && row.state !== 'unknown';
      const existing = async (connectionId: string | undefined) => {
        const before = found(await view(uid), 'an agreement');
        const isClaimed = connectionId !== undefined && isVacant(before);
        return asRequested(requested, isClaimed ? await claim(calls, requested, connectionId) : before);
      };
      const connectionId = await choose(connection).catch(async (error: unknown) => {
        const before = isAboutConnection(error) ? await view(uid) : undefined;
        // A repeat succeeds even if the connection has ended since.
        if (before === undefined || isVacant(before)) throw error;
        return undefined;
      });
      return withKey(calls, use, 'agreement', async () => {
        const started =
          isTaken || connectionId === undefined
            ? undefined
            : await startNew(
                calls,
                { ...inputOf(requested, connectionId), isUnchecked },
                agreementStart,
                firstView,
              );
        return started ?? existing(connectionId);
      });
    },
  };
}

/** Undefined if no workflow has the uid. @throws ApiError `worker_unavailable`, `workflow_paused` or `temporal_unavailable`. */
const readAgreement = (calls: Calls, uid: string): Promise<AgreementView | undefined> =>
  calls.read(workflowIdOf('agreement', uid), getAgreement, ({ carried }: AgreementEnd): AgreementView =>
    viewOf(upgrade(carried)),
  );

/** Of an agreement that Temporal has forgotten. @throws the errors of `rememberedOf`. */
async function readWholeRecord(calls: Calls, uid: string): Promise<AgreementView> {
  const { view, carried } = await rememberedOf(calls, { resource: 'agreement', uid });
  const recorded = view as RecordedAgreementView;
  if (carried === undefined) return { ...recorded, payments: [], paymentsOlder: recorded.paymentCount };
  const { ledger, paymentsOlder } = upgrade(carried as AgreementEnd['carried']);
  return { ...recorded, payments: ledger.map(wholeEntry), paymentsOlder };
}

const isAboutConnection = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'connection_required' || error.code === 'connection_unknown');

const claim = (
  calls: Calls,
  requested: AgreementStart,
  connectionId: string,
): Promise<RecordedAgreementView> =>
  calls.update(workflowIdOf('agreement', requested.uid), ANSWER_MS, () =>
    claimAgreementUid(calls, inputOf(requested, connectionId)),
  );

const inputOf = ({ uid, mandate, payer, caller }: AgreementStart, connectionId: string) => ({
  ...{ uid, connectionId, mandate, payer, requestedBy: caller?.principal },
});

/** @throws ApiError `idempotency_conflict` */
export function asRequested(
  { uid, connection, mandate, caller }: AgreementStart,
  found: RecordedAgreementView,
): RecordedAgreementView {
  requestedByCaller(found, caller ?? {});
  return sameOrRefused(found, differenceFromAgreement({ connection, mandate }, found), `Agreement ${uid}`);
}
