// Sends a command to its workflow as one update. Concurrent identical requests share the update.
import { WorkflowFailedError, WorkflowNotFoundError } from '@temporalio/client';
import type { UpdateDefinition } from '@temporalio/common';
import { repeatOfUse, type KeyRegister, type KeyUse } from '../../../domain/commands/key-use.js';
import { useOfResolution, type AttentionResolution } from '../../../domain/attention/resolution.js';
import { workflowIdOf, type ProviderResource } from '../../../domain/resources.js';
import {
  lookUpNow,
  resolveAttention,
  upgrade,
  type Carried,
} from '../../../workflows/contracts/every-workflow.js';
import { ApiError } from '../../http/problems/errors.js';
import { digestOf, keyConflict } from '../../http/idempotency.js';
import type { ProblemCode } from '../../http/problems/codes.js';
import type { Calls } from './calls.js';
import {
  startFromRecord,
  updateOrStart,
  type RecordStart,
  type StartingUpdate,
} from '../../../delivery/update-or-start.js';
import { rememberedOf } from './forgotten.js';
import { isRecordedRepeat } from './recorded-before.js';
import { refusedUpdate } from './refusals.js';
import { createSharedCalls } from './update-limiter.js';
import { ANSWER_MS } from './updates.js';

/** The resources that accept commands. */
type Commanded = ProviderResource | 'onboarding' | 'batch';

interface CommandProblems {
  /** The problem of a command to an ended run. */
  over: ProblemCode;
  /** What its detail says of the resource. */
  detail: string;
  /** The problem for refusals with an unknown code, if not `over`. */
  otherwise?: ProblemCode;
}

const UNREGISTERED = 'ended unregistered and accepts no more commands.';
/** What differs from the usual words of `problemsOf`. */
const EXCEPTIONS: Readonly<Partial<Record<Commanded, Partial<CommandProblems>>>> = {
  agreement: { otherwise: 'agreement_state_forbids' },
  client: { detail: UNREGISTERED },
  counterparty: { detail: UNREGISTERED },
  batch: { detail: 'has ended: every row has its outcome.' },
};
const problemsOf = (resource: Commanded): CommandProblems => ({
  over: resource === 'onboarding' || resource === 'batch' ? `${resource}_over` : `${resource}_final`,
  detail: 'has ended and accepts no more commands.',
  ...EXCEPTIONS[resource],
});

/** A run that has ended. */
export interface Ended {
  uid: string;
  runId: string;
}

/** Resolves with undefined once the command is accepted, or with the run if it has ended. Concurrent identical requests share one update. */
type Send = <Request extends object>(
  uid: string,
  definition: UpdateDefinition<void, [Request]>,
  request: Request,
  /** Of the command's key, which its run may have dropped. */
  use?: KeyUse,
) => Promise<Ended | undefined>;

/** The commands that all resources of the provider support. */
export interface ResourceCommands {
  /** Looks the resource up at the provider now. */
  lookUp: (uid: string) => Promise<void>;
  /** Resolves an attention flag. A repeat changes nothing. */
  resolveAttention: (uid: string, resolution: AttentionResolution) => Promise<void>;
}

interface Commands extends ResourceCommands {
  /** Temporal gives repeats the first answer. */
  once: Send;
  /** For a command that may be repeated on purpose, such as a return to an earlier plan: Temporal must not treat it as a duplicate. */
  eachTime: Send;
  /** @throws ApiError if the run has ended. */
  assertOpen: (ended: Ended | undefined) => void;
  /**
   * For a command to an ended run: resolves only if it repeats a request that the run had accepted.
   * @throws ApiError like `assertOpen`, or `idempotency_conflict` if another request used the key.
   */
  assertRepeat: (ended: Ended | undefined, use: KeyUse) => Promise<void>;
}

export function commandsOf(calls: Calls, resource: Commanded): Commands {
  const shared = createSharedCalls<Ended | undefined>();
  const send = <Args extends unknown[]>(uid: string, name: string, sent: StartingUpdate<void, Args>) =>
    shared(`${uid} ${name}`, () => update(calls, resource, uid, sent));
  const once: Send = async (uid, definition, request, use) => {
    if (use !== undefined && (await isRecordedRepeat(calls, use))) return undefined;
    const updateId = idOf(definition, request);
    return send(uid, updateId, { definition, args: [request], updateId });
  };
  const eachTime: Send = (uid, definition, request) =>
    send(uid, idOf(definition, request), { definition, args: [request] });
  const assertOpen: Commands['assertOpen'] = (ended) => {
    if (ended !== undefined) throw overOf(resource);
  };
  const assertRepeat: Commands['assertRepeat'] = async (ended, use) => {
    if (ended === undefined) return;
    const repeat = repeatOfUse((await leftBy<KeyRegister>(calls, resource, ended)) ?? {}, use);
    if (repeat === 'none') throw overOf(resource);
    if (repeat === 'other') throw keyConflict();
  };
  return {
    ...{ once, eachTime, assertOpen, assertRepeat },
    lookUp: async (uid) => assertOpen(await send(uid, lookUpNow.name, { definition: lookUpNow, args: [] })),
    resolveAttention: async (uid, resolution) => {
      const use = useOfResolution(uid, resolution);
      await assertRepeat(await once(uid, resolveAttention, resolution, use), use);
    },
  };
}

const idOf = ({ name }: { name: string }, request: object): string => `${name}/${digestOf(request)}`;

function overOf(resource: Commanded): ApiError {
  const { over, detail } = problemsOf(resource);
  return new ApiError(over, `This ${resource} ${detail}`);
}

/**
 * If Temporal has forgotten the run of a resource of the provider, a new run reads its record first, and then decides.
 * @throws ApiError of a refusal, or `gone`, also while Temporal still has the closed run.
 */
async function update<Args extends unknown[]>(
  calls: Calls,
  resource: Commanded,
  uid: string,
  sent: StartingUpdate<void, Args>,
): Promise<Ended | undefined> {
  const workflowId = workflowIdOf(resource, uid);
  // A read that needs no worker: it detects an outage of Temporal at once, not after the update's long timeout.
  const run = await calls.describe(workflowId);
  const isLost = run?.isLost === true;
  const start = run === undefined || isLost ? await startAfter(calls, resource, { uid, isLost }) : undefined;
  const ended = { uid, runId: run?.runId ?? '' };
  const isOver = run?.isOpen === false && !isLost;
  if (isOver) await calls.recorded.assertNotGone({ resource, uid });
  if (isOver || start === 'over') return ended;
  try {
    await calls.update(workflowId, ANSWER_MS, (handle) => updateOrStart(calls, handle, start, sent));
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return ended;
    const { over, otherwise = over } = problemsOf(resource);
    throw refusedUpdate(error, otherwise);
  }
  return undefined;
}

/** @returns `over`: it never continues after its end. @throws the errors of `rememberedOf`. */
async function startAfter(
  calls: Calls,
  resource: Commanded,
  { uid, isLost }: { uid: string; isLost: boolean },
): Promise<RecordStart | 'over'> {
  const { connectionId } = await rememberedOf(calls, { resource, uid });
  if (resource === 'onboarding' || resource === 'batch') return 'over';
  return startFromRecord(calls, resource, { uid, connectionId, isLost }, 'a command');
}

/** The final state of a run. Undefined if the run was terminated or Temporal no longer stores it. */
export async function leftBy<State extends object>(
  { client, short }: Calls,
  resource: Commanded,
  { uid, runId }: Ended,
): Promise<State | undefined> {
  const workflowId = workflowIdOf(resource, uid);
  const run = client.workflow.getHandle<() => Promise<{ carried: Carried<State> }>>(workflowId, runId);
  try {
    return upgrade((await short(() => run.result())).carried);
  } catch (error) {
    if (error instanceof WorkflowFailedError || error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}
