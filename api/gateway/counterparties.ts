// Starts, reads, lists and changes counterparty workflows.
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { firstDifference } from '../../domain/commands/differences.js';
import type { KeyUse } from '../../domain/commands/key-use.js';
import { begin, counterpartyStart } from '../../delivery/starts.js';
import type { CounterpartyOrder } from '../../domain/counterparty/request.schema.js';
import type { Payer } from '../../domain/agreement/payer.schema.js';
import {
  changeCounterparty,
  counterpartyWorkflowId,
  getCounterparty,
} from '../../workflows/counterparty/contract.js';
import type {
  ChangeRequest,
  CounterpartyEnd,
  CounterpartyInput,
  CounterpartyView,
} from '../../workflows/counterparty/contract.js';
import { ApiError } from '../http/problems/errors.js';
import type { RowsRequest } from '../../records/lists.js';
import { oneAtATime } from './temporal/calls.js';
import type { Calls } from './temporal/calls.js';
import { assertRepeat, commanding, resourceCommands } from './temporal/commands.js';
import type { ResourceCommands } from './temporal/commands.js';
import { withKey } from './temporal/key-binding.js';
import type { ListPage } from './records.js';

export interface CounterpartyStart {
  /** The uid and the order on the given connection, with the uids of the payment accounts. */
  on: (connectionId: string) => { uid: string; order: CounterpartyOrder };
  /** Optional if there is only one connection. */
  connection: string | undefined;
  payer: Payer | undefined;
  /** The use of the caller's Idempotency-Key, if the request has a key besides the uid. */
  use?: KeyUse | undefined;
  /** The principal that requests it. */
  by: string;
}

export interface CounterpartiesGateway extends Pick<ResourceCommands, 'resolveAttention'> {
  /** Starts a counterparty, or returns it for a repeat. Refuses a different request with the same uid or key. */
  start: (requested: CounterpartyStart) => Promise<CounterpartyView>;
  view: (uid: string) => Promise<CounterpartyView | undefined>;
  list: (request: RowsRequest) => Promise<ListPage<CounterpartyView>>;
  /** Corrects an account, accepts a close match, or withdraws the counterparty. A repeat changes nothing. */
  change: (uid: string, request: ChangeRequest) => Promise<void>;
}

export function createCounterpartiesGateway(
  calls: Calls,
  connectionFor: (id: string | undefined) => Promise<string>,
): CounterpartiesGateway {
  const ofWorkflow = oneAtATime((uid) =>
    calls.read(
      counterpartyWorkflowId(uid),
      getCounterparty,
      ({ carried, ...left }: CounterpartyEnd): CounterpartyView => left,
    ),
  );
  const view: CounterpartiesGateway['view'] = (uid) =>
    calls.recorded.view({ resource: 'counterparty', uid, workflowId: counterpartyWorkflowId(uid) }, () =>
      ofWorkflow(uid),
    );
  return {
    view,
    list: (request) => calls.recorded.list('counterparty', request),
    ...counterpartyCommands(calls),
    start: async (requested) => {
      const connectionId = await connectionFor(requested.connection);
      const { uid, order } = requested.on(connectionId);
      return withKey(calls, requested.use, 'counterparty', async () => {
        const found = await view(uid);
        if (found !== undefined) return sameOrRefused(found, connectionId, order);
        const input = { uid, connectionId, order, payer: requested.payer, requestedBy: requested.by };
        try {
          return await startNew(calls, input);
        } catch (error) {
          const started = error instanceof WorkflowExecutionAlreadyStartedError ? await view(uid) : undefined;
          if (started === undefined) throw error;
          return sameOrRefused(started, connectionId, order);
        }
      });
    },
  };
}

async function startNew(calls: Calls, input: CounterpartyInput): Promise<CounterpartyView> {
  const { uid, connectionId, order, requestedBy } = input;
  const now = new Date();
  await calls.short(() => begin(calls, counterpartyStart(input, now)));
  const since = now.toISOString();
  return {
    ...{ uid, connectionId, order, state: 'requested', stateSince: since, requestedAt: since, requestedBy },
    ...{ adopted: false, submissions: 0, changes: [], attention: [] },
    identity: order.identity,
    accounts: order.payment_accounts.map((account) => ({ ...account, tries: 0, isCleared: false })),
    awaiting: { what: 'verification', since },
  };
}

/** Ignores the principal and the payer's address. @throws ApiError `idempotency_conflict` */
function sameOrRefused(
  found: CounterpartyView,
  connectionId: string,
  order: CounterpartyOrder,
): CounterpartyView {
  const pointer = found.connectionId === connectionId ? firstDifference(order, found.order) : '/connection';
  if (pointer === undefined) return found;
  const detail = 'expected the value of the first request with this uid';
  throw new ApiError(
    'idempotency_conflict',
    `Counterparty ${found.uid} already exists with different values.`,
    {
      errors: [{ pointer: pointer === '' ? '/uid' : pointer, detail }],
    },
  );
}

function counterpartyCommands(calls: Calls): Pick<CounterpartiesGateway, 'change' | 'resolveAttention'> {
  const kind = {
    workflowId: counterpartyWorkflowId,
    what: 'a counterparty',
    otherwise: 'counterparty_final',
  } as const;
  const command = commanding(calls, kind);
  const { resolveAttention } = resourceCommands(calls, kind, command, over);
  return {
    resolveAttention,
    change: async (uid, request) => {
      const ended = await command(uid, changeCounterparty.name, request, (handle, as) =>
        handle.executeUpdate(changeCounterparty, { args: [request], ...as }),
      );
      if (ended === undefined) return;
      await assertRepeat(calls, kind.workflowId(uid), ended, request.use, over);
    },
  };
}

const over = (): ApiError =>
  new ApiError('counterparty_final', 'This counterparty ended unregistered and accepts no more commands.');
