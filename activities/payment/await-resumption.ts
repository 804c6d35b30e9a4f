// Waits for a stop of payments to be lifted: each attempt looks once, and Temporal makes the next one where the ladder says.
import { nothingYet } from '../failure.js';
import { STANDING_IN_WORDS } from '../temporal/stops.js';
import type { Dependencies } from '../dependencies.js';
import type { Ref } from '../resource/snapshot.js';

export function awaitLiftingActivity({ readStop }: Pick<Dependencies, 'readStop'>) {
  return async function awaitLifting({ connectionId }: Ref): Promise<void> {
    const standing = await readStop(connectionId);
    if (standing !== 'free') throw nothingYet('stop', STANDING_IN_WORDS[standing]);
  };
}
