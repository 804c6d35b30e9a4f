// Copies a key that was bound while the records (PostgreSQL) were away.
import { Context } from '@temporalio/activity';
import { isFound } from '../delivery/open.js';
import { isOtherUse } from '../domain/commands/key-use.js';
import { keyOfTwo, type BoundKey, type KeyBindings, type KeyRequest } from '../domain/records/bound-key.js';
import { workflowIdOf } from '../domain/resources.js';
import { raiseFlag } from '../workflows/contracts/every-workflow.js';
import { withHeartbeats } from './attempts/heartbeat.js';
import { untilAnswered } from './record.js';
import type { Attention } from '../domain/attention/flags.js';
import type { Dependencies } from './dependencies.js';

/** A request is admitted or refused before that. */
const ADMITTED_MS = 15_000;

interface Deps extends Pick<Dependencies, 'temporal'> {
  records: KeyBindings;
}

/**
 * Waits while the database is away. If the key is bound to another request there, both things get the flag `conflict`. If the second thing does not
 * exist, its request was refused or was never carried out: its repeats are refused.
 */
export const copyKeyActivity =
  (deps: Deps, { admittedMs = ADMITTED_MS } = {}) =>
  (request: KeyRequest): Promise<void> =>
    withHeartbeats(async () => {
      const bound = await untilAnswered(() => deps.records.bindKey(request));
      if (!isOtherUse(bound, request) || isSameThing(bound, request)) return;
      await Context.current().sleep(admittedMs);
      const since = new Date().toISOString();
      if (await flag(deps, request, keyOfTwo(bound, since)))
        await flag(deps, bound, keyOfTwo(request, since));
    });

/** Then one of the two requests was refused, because the other one has the uid. */
const isSameThing = (one: BoundKey, other: BoundKey): boolean =>
  one.resource === other.resource && one.uid === other.uid;

/** In its run, or in its row if no run is open. @returns false if it does not exist. */
async function flag({ temporal, records }: Deps, of: BoundKey, raised: Attention): Promise<boolean> {
  const run = temporal.workflow.getHandle(workflowIdOf(of.resource, of.uid));
  if (await isFound(run.signal(raiseFlag, raised))) return true;
  return (await untilAnswered(async () => ({ isThere: await records.flagRow(of, raised) }))).isThere;
}
