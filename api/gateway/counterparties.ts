// Starts, reads, lists and changes counterparty workflows.
import { firstDifference } from '../../domain/commands/differences.js';
import type { KeyUse } from '../../domain/commands/key-use.js';
import { counterpartyStart } from '../../delivery/starts.js';
import type { CounterpartyOrder } from '../../domain/counterparty/request.schema.js';
import type { Payer } from '../../domain/agreement/payer.schema.js';
import {
  changeCounterparty,
  getCounterparty,
  type ChangeRequest,
  type CounterpartyInput,
  type CounterpartyView,
} from '../../workflows/counterparty/contract.js';
import { firstView, viewOf } from '../../workflows/counterparty/view.js';
import { requestedByCaller, type Caller } from '../http/caller.js';
import { found } from '../http/problems/errors.js';
import type { ConnectionChoice } from './connection-choice.js';
import { followedReads, sameOrRefused, type ResourceReads } from './resource.js';
import type { Calls } from './temporal/calls.js';
import { commandsOf, type ResourceCommands } from './temporal/commands.js';
import { withKey } from './temporal/key-binding.js';
import { startNew } from './temporal/start.js';

export interface CounterpartyStart {
  /** The uid and the order on the given connection, with the uids of the payment accounts. */
  on: (connectionId: string) => { uid: string; order: CounterpartyOrder };
  /** Optional if there is only one connection. */
  connection: string | undefined;
  payer: Payer | undefined;
  /** The use of the caller's Idempotency-Key, if the request has a key besides the uid. */
  use?: KeyUse | undefined;
  /** Who requests it. */
  caller: Caller;
}

interface CounterpartiesGateway
  extends ResourceReads<CounterpartyView>, Pick<ResourceCommands, 'resolveAttention'> {
  /** Starts a counterparty, or returns it for a repeat. Refuses a different request with the same uid or key. */
  start: (requested: CounterpartyStart) => Promise<CounterpartyView>;
  /** Corrects an account, accepts a close match, or withdraws the counterparty. A repeat changes nothing. */
  change: (uid: string, request: ChangeRequest) => Promise<void>;
}

export function createCounterpartiesGateway(
  calls: Calls,
  choose: ConnectionChoice['choose'],
): CounterpartiesGateway {
  const { view, list } = followedReads(calls, 'counterparty', getCounterparty, viewOf);
  const { once, assertRepeat, resolveAttention } = commandsOf(calls, 'counterparty');
  return {
    ...{ view, list, resolveAttention },
    change: async (uid, request) =>
      assertRepeat(await once(uid, changeCounterparty, request, request.use), request.use),
    start: async (requested) => {
      const connectionId = await choose(requested.connection);
      const { uid, order } = requested.on(connectionId);
      const { row, isUnchecked } = await calls.recorded.before({ resource: 'counterparty', uid });
      return withKey(calls, requested.use, 'counterparty', async () => {
        const { payer, caller } = requested;
        const input = { uid, connectionId, order, payer, requestedBy: caller.principal, isUnchecked };
        const started =
          row === undefined ? await startNew(calls, input, counterpartyStart, firstView) : undefined;
        return started ?? asRequested(found(await view(uid), 'a counterparty'), input, caller);
      });
    },
  };
}

/** Ignores the payer's address. @throws ApiError `idempotency_conflict` */
function asRequested(
  found: CounterpartyView,
  { connectionId, order }: Pick<CounterpartyInput, 'connectionId' | 'order'>,
  caller: Caller,
): CounterpartyView {
  requestedByCaller(found, caller);
  const pointer = found.connectionId === connectionId ? firstDifference(order, found.order) : '/connection';
  return sameOrRefused(found, pointer, `Counterparty ${found.uid}`);
}
