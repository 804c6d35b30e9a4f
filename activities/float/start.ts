// Starts a workflow for each float account of a connection.
import { isStarted } from '../../delivery/open.js';
import { isUid } from '../../domain/provider/uid.js';
import {
  FLOAT_ACCOUNT_WORKFLOW,
  floatAccountWorkflowId,
  type FloatAccountInput,
} from '../../workflows/float-account/contract.js';
import { CONNECTION_ID } from '../../workflows/contracts/search-attributes.js';
import { isFinal, readFailure } from '../failure.js';
import { withHeartbeats } from '../attempts/heartbeat.js';
import type { Dependencies } from '../dependencies.js';

export interface FloatAccountsFound {
  /** Float accounts that the provider lists. */
  listed: number;
  /** Those that had no workflow. */
  started: number;
  /** Why the list could not be read; a person must act. */
  stopped?: string | undefined;
}

const FLOAT = 'float_account';

export function startFloatAccountsActivity(deps: Dependencies) {
  /** A repeat starts nothing more. @throws ApplicationFailure as other reads do, except without consent or scope. */
  return async function startFloatAccounts({
    connectionId,
  }: {
    connectionId: string;
  }): Promise<FloatAccountsFound> {
    try {
      return await withHeartbeats(() => startAll(deps, connectionId));
    } catch (error) {
      const failure = readFailure(error);
      if (isFinal(failure)) return { listed: 0, started: 0, stopped: failure.type ?? 'unknown' };
      throw failure;
    }
  };
}

async function startAll(
  { payments, withAccess, ...deps }: Dependencies,
  connectionId: string,
): Promise<FloatAccountsFound> {
  const uids = await withAccess(connectionId, async (call) => {
    const found: string[] = [];
    for await (const { id, account_type: type } of payments.listBankAccounts(call))
      if (type === FLOAT && id !== undefined && isUid(id)) found.push(id);
    return found;
  });
  let started = 0;
  for (const uid of uids) if (await start(deps, { uid, connectionId })) started += 1;
  return { listed: uids.length, started };
}

/** @returns false if its workflow runs. */
const start = (
  { temporal, taskQueue }: Pick<Dependencies, 'temporal' | 'taskQueue'>,
  input: FloatAccountInput,
): Promise<boolean> =>
  isStarted(
    temporal.workflow.start(FLOAT_ACCOUNT_WORKFLOW, {
      taskQueue,
      workflowId: floatAccountWorkflowId(input.uid),
      args: [input],
      staticSummary: `Float account ${input.uid}`,
      typedSearchAttributes: [{ key: CONNECTION_ID, value: input.connectionId }],
    }),
  );
