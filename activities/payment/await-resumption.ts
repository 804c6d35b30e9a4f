// Waits until payments resume. Each attempt reads the stop once. Temporal makes the next attempt after the poll interval.
import { nothingYet } from '../failure.js';
import { STOP_STATUS_IN_WORDS } from '../temporal/stops.js';
import type { Dependencies } from '../dependencies.js';
import type { Ref } from '../resource/snapshot.js';

/** @throws ApplicationFailure `nothing_new` while payments are stopped or the stop cannot be read. */
export function awaitResumptionActivity({ readStop }: Pick<Dependencies, 'readStop'>) {
  return async function awaitResumption({ connectionId }: Ref): Promise<void> {
    const status = await readStop(connectionId);
    if (status !== 'free') throw nothingYet('stop', STOP_STATUS_IN_WORDS[status]);
  };
}
