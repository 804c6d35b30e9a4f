// What the API asks an agreement to do: each is answered by its workflow, or refused there and nothing written. One that is over
// still answers repeats of what it had taken, from what its run left as its result, which takes no worker to read.
// In:  api/temporal/door.ts. Out: workflows/agreement/workflow.ts, by its contract alone.
import { WorkflowFailedError, WorkflowNotFoundError } from '@temporalio/client';
import type { WorkflowHandle } from '@temporalio/client';
import type { ActionRequest } from '../../domain/action.js';
import { repeatOfAction, repeatOfResolution } from '../../domain/repeat.js';
import type { Repeat } from '../../domain/repeat.js';
import type { AttentionResolution } from '../../domain/resolution.js';
import {
  agreementWorkflowId,
  getAgreement,
  lookUpNow,
  requestAction,
  resolveAttention,
} from '../../workflows/agreement/contract.js';
import type { AgreementEnd } from '../../workflows/agreement/contract.js';
import { upgrade } from '../../workflows/entity/contract.js';
import { ApiError, notFound } from '../errors.js';
import { digestOf, keyConflict } from '../idempotency.js';
import type { Calls } from './calls.js';
import { refusedUpdate } from './refusals.js';
import { sharing } from './turns.js';

/** A worker answers in milliseconds; this is how long we believe that one may still come. */
const ANSWER_MS = 10_000;

export interface AgreementCommands {
  /** Has it asked of the provider, or finds that this very request was taken before. */
  act: (uid: string, request: ActionRequest) => Promise<void>;
  /** Has the provider asked how the agreement stands. */
  lookUp: (uid: string) => Promise<void>;
  /** States that a flag has been dealt with, or finds that this very statement was taken before. */
  resolveAttention: (uid: string, resolution: AttentionResolution) => Promise<void>;
}

type Send = (handle: WorkflowHandle) => Promise<unknown>;
type SendAs = (handle: WorkflowHandle, as: { updateId?: string }) => Promise<unknown>;

export function createAgreementCommands(calls: Calls): AgreementCommands {
  const once = sharing<Ended | undefined>();
  /** Those that are the same are one update, here and at Temporal. What is asked on purpose, however often, has no `request`. */
  const command = (uid: string, name: string, request: object | undefined, send: SendAs) => {
    const as = request === undefined ? {} : { updateId: `${name}/${digestOf(request)}` };
    return once(`${uid} ${as.updateId ?? name}`, () => update(calls, uid, (handle) => send(handle, as)));
  };
  return {
    act: async (uid, request) => {
      const ended = await command(uid, requestAction.name, request, (handle, as) =>
        handle.executeUpdate(requestAction, { args: [request], ...as }),
      );
      if (ended !== undefined) await assertTaken(calls, ended, request);
    },
    lookUp: async (uid) => {
      const ended = await command(uid, lookUpNow.name, undefined, (handle, as) =>
        handle.executeUpdate(lookUpNow, as),
      );
      if (ended !== undefined) throw over();
    },
    resolveAttention: async (uid, resolution) => {
      const ended = await command(uid, resolveAttention.name, resolution, (handle, as) =>
        handle.executeUpdate(resolveAttention, { args: [resolution], ...as }),
      );
      if (ended !== undefined) await assertResolved(calls, ended, resolution);
    },
  };
}

/** Resolves with nothing once it was taken, and with the run where that one is over. */
async function update(calls: Calls, uid: string, send: Send): Promise<Ended | undefined> {
  // Read without a worker, so that an outage of Temporal shows at once and not after the update's long bound.
  const agreement = await calls.describe(agreementWorkflowId(uid));
  if (agreement === undefined) throw notFound('an agreement');
  const ended = { uid, runId: agreement.runId };
  if (!agreement.isOpen) return ended;
  try {
    await calls.update(agreementWorkflowId(uid), ANSWER_MS, send);
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return ended;
    throw refusedUpdate(error, 'agreement_state_forbids');
  }
  return undefined;
}

/** A run that has ended. */
export interface Ended {
  uid: string;
  runId: string;
}

/** What a run leaves of which repeats are known. */
type Left = Pick<AgreementEnd['carried']['state'], 'actions' | 'facts' | 'olderIds' | 'keys' | 'ledger'>;

/** @throws ApiError `agreement_final`, or `idempotency_conflict` where the key was another request's. */
async function assertTaken(calls: Calls, ended: Ended, request: ActionRequest): Promise<void> {
  const left = await leftBy(calls, ended);
  if (left !== undefined) return assertRepeat(repeatOfAction(left.actions, request));
  // It was ended by force, and left nothing: its last view names the newest ten, without their bodies. The key is of one path.
  const view = await calls.ask(agreementWorkflowId(ended.uid), getAgreement);
  const found = view?.actions.find(({ key }) => key === request.key);
  assertRepeat(found === undefined ? 'none' : 'same');
}

/** @throws ApiError as `assertTaken` does. */
async function assertResolved(calls: Calls, ended: Ended, word: AttentionResolution): Promise<void> {
  const left = await leftBy(calls, ended);
  assertRepeat(left === undefined ? 'none' : repeatOfResolution(left, word));
}

const over = (): ApiError =>
  new ApiError('agreement_final', 'This agreement is over; nothing can be asked of it.');

function assertRepeat(repeat: Repeat): void {
  if (repeat === 'none') throw over();
  if (repeat === 'other') throw keyConflict();
}

/** Nothing where it was ended by force, or is no longer kept. */
export async function leftBy(calls: Calls, { uid, runId }: Ended): Promise<Left | undefined> {
  const run = calls.client.workflow.getHandle<() => Promise<AgreementEnd>>(agreementWorkflowId(uid), runId);
  try {
    return upgrade((await calls.short(() => run.result())).carried);
  } catch (error) {
    if (error instanceof WorkflowFailedError || error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}
