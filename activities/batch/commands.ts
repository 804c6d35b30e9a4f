// Sends the command of a row to the run of its resource, as the API does with a single request. A run that has ended may be reopened.
import { WorkflowNotFoundError, type UpdateDefinition } from '@temporalio/common';
import { ifFound, isOpen } from '../../delivery/open.js';
import { recipientOf } from '../../delivery/recipients.js';
import { reopen, type End, type RunStart } from '../../delivery/reopen.js';
import { startFromRecord, updateOrStart, type RecordStart } from '../../delivery/update-or-start.js';
import { withMinute } from '../../delivery/unanswered.js';
import { goneInWords } from '../../domain/records/remembered.js';
import { refusalOfUpdate } from './runs.js';
import type { RowRefusal } from '../../domain/batch/rows.js';
import type { Resolvable } from '../../domain/batch/repair.js';
import type { Scene } from './rows.js';

/** What an ended run does with a command: it had accepted it, refuses it, or a next run decides. */
export type AtEnd = { is: 'accepted' } | { is: 'refused'; refusal: RowRefusal } | { is: 'open' };

interface Command<Request, Ended extends End> {
  resource: Resolvable;
  uid: string;
  definition: UpdateDefinition<void, [Request]>;
  request: Request;
  /** The cause of a new run, for its summary: "a retry". */
  by: string;
  atEnd: (end: Ended) => AtEnd;
}

/** How often a run may start or end between our read and our update. */
const ATTEMPTS = 3;

/** @returns why it was refused; undefined if it was accepted, now or before. @throws if it is unknown: a repeat is harmless. */
export async function refusalOfCommand<Request, Ended extends End>(
  scene: Scene,
  command: Command<Request, Ended>,
): Promise<RowRefusal | undefined> {
  const { resource, uid } = command;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    try {
      const decided = await decide(scene, command);
      if (decided !== undefined) return decided.is === 'refused' ? decided.refusal : undefined;
    } catch (error) {
      // The run ended after we read it.
      if (error instanceof WorkflowNotFoundError) continue;
      return refusalOfUpdate(error);
    }
  }
  throw new Error(`each attempt found that the run of ${resource} ${uid} had started or ended again`);
}

/** @returns undefined if a run has started or ended since the read. */
async function decide<Request, Ended extends End>(
  { deps, task }: Scene,
  { resource, uid, definition, request, by, atEnd }: Command<Request, Ended>,
): Promise<AtEnd | undefined> {
  const to = { client: deps.temporal, taskQueue: deps.taskQueue };
  const recipient = recipientOf(resource, uid, undefined);
  const handle = to.client.workflow.getHandle(recipient.workflowId);
  const updateId = withMinute(`${definition.name}/batch/${task.batch}/${uid}`);
  const send = async (start: RecordStart | undefined): Promise<AtEnd> => {
    await updateOrStart(to, handle, start, { definition, args: [request], updateId });
    return { is: 'accepted' };
  };
  const run = await ifFound(handle.describe());
  if (run === undefined) {
    const row = await deps.records.remembered(resource, uid);
    if (row === undefined) return refused('not_found', `This ${resource} does not exist.`);
    if (row.is === 'gone') return refused('gone', goneInWords(`this ${resource}`, row));
    return send(startFromRecord(to, resource, { uid, connectionId: row.connectionId }, by));
  }
  if (isOpen(run)) return send(undefined);
  const start = (next: RunStart) => send({ workflow: recipient.workflow, run: next });
  const reopened = await reopen<Ended, AtEnd>(to, recipient, by, start, (end) => {
    const ended = end === undefined ? undefined : atEnd(end);
    return ended === undefined || ended.is === 'open' ? undefined : { answer: ended };
  });
  return reopened?.answer;
}

const refused = (code: string, detail: string): AtEnd => ({
  is: 'refused',
  refusal: { code, pointer: '/uid', detail },
});
