// What the records have of a payment or refund that is requested. Its agreement or payment may have dropped it.
import { isOtherUse, type KeyUse } from '../../../domain/commands/key-use.js';
import { isRequested } from '../../../domain/records/remembered.js';
import type { RecordedBefore } from '../../../domain/commands/records-needed.js';
import { requestedByCaller, type Caller } from '../../http/caller.js';
import { keyConflict } from '../../http/idempotency.js';
import { noneIfAway } from '../records.js';
import type { Calls } from './calls.js';

/** @throws ApiError `gone`, or `idempotency_conflict` if its uid is of another caller or its key was used for another request. */
export async function recordedBefore<View extends object>(
  { recorded }: Pick<Calls, 'recorded'>,
  {
    resource,
    uid,
    use,
    caller,
  }: { resource: 'payment' | 'refund'; uid: string; use?: KeyUse | undefined; caller: Partial<Caller> },
): Promise<{ recorded: RecordedBefore | undefined; view?: View | undefined }> {
  const [{ row, isUnchecked }, key] = await Promise.all([
    recorded.before({ resource, uid }),
    use && recorded.ask(async ({ keyUse }) => ({ bound: await keyUse(use.key) })).catch(noneIfAway),
  ]);
  const view = isRequested(row) ? (row.view as View) : undefined;
  requestedByCaller(view, caller);
  const bound = key?.bound;
  if (use !== undefined && bound !== undefined && isOtherUse(bound, use)) throw keyConflict();
  if (bound !== undefined) return { recorded: 'key', view };
  if (view !== undefined) return { recorded: 'uid', view };
  const isUnclear = isUnchecked === true || (use !== undefined && key === undefined);
  return { recorded: isUnclear ? undefined : 'nothing' };
}

/**
 * Whether its run has dropped the key of this very command, so that only the records can tell. While they are away, the run decides.
 * @throws ApiError `idempotency_conflict` if the key was used for another request.
 */
export async function isRecordedRepeat({ recorded }: Pick<Calls, 'recorded'>, use: KeyUse): Promise<boolean> {
  const bound = await recorded.ask(({ keyUse }) => keyUse(use.key)).catch(noneIfAway);
  if (bound === undefined) return false;
  if (isOtherUse(bound, use)) throw keyConflict();
  return true;
}
