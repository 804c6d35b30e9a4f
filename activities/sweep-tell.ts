// What a sweep says to an agreement: that the provider shows something else than our lists do, so that it looks.
// In:  activities/sweep-agreements.ts. Out: delivery/deliver.ts.
import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { agreementOf } from '../delivery/recipients.js';
import { saying, tell } from '../delivery/deliver.js';
import { agreementDiffers } from '../workflows/agreement/contract.js';
import type { Dependencies } from './dependencies.js';

/** An open run looks; one that is over is taken up again to look; one that never was finds out what it is about. */
export async function tellToLook(
  { temporal }: Dependencies,
  connectionId: string,
  uid: string,
): Promise<void> {
  const post = { client: temporal, taskQueue: activityInfo().taskQueue };
  const message = saying('the sweep', agreementDiffers);
  if (await tell(post, agreementOf(uid, connectionId), message)) return;
  throw ApplicationFailure.create({ type: 'not_told', message: `agreement/${uid} began and ended again` });
}
