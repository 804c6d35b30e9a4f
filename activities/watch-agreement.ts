// In:  workflows/agreement.ts awaits something that a notification may fail to tell.
// Out: payments-api/client.ts.
import { readFailure } from './failure.js';
import { glanceAtAgreement, lookAtAgreement } from './look.js';
import { waitForNextLook } from './watch.js';
import type { LadderName } from '../domain/ladder.js';
import type { AgreementLook } from '../domain/snapshot.js';
import type { Dependencies } from './dependencies.js';

export interface WatchArgs {
  uid: string;
  connectionId: string;
  ladder: LadderName;
  /** The state that the resource is known to show: any other is news. */
  shown: string;
}

export function watchAgreementActivity(deps: Dependencies) {
  /** Each attempt is one look. Nothing new fails the attempt, and Temporal makes the next one when the ladder says. */
  return async function watchAgreement({
    uid,
    connectionId,
    ladder,
    shown,
  }: WatchArgs): Promise<AgreementLook> {
    try {
      const { state } = await glanceAtAgreement(deps, connectionId, uid);
      if (state !== shown) return await lookAtAgreement(deps, connectionId, uid);
    } catch (error) {
      throw readFailure(error);
    }
    throw waitForNextLook(ladder, `the provider still shows ${shown}`);
  };
}
