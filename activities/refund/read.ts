// The activities findRefund, lookUpRefund, watchRefund and adoptRefund.
import { readActivities } from '../resource/read.js';
import { fetchRefund } from '../resource/snapshot.js';
import type { Dependencies } from '../dependencies.js';

export const refundReads = (deps: Dependencies) =>
  readActivities(deps, { resource: 'refund', fetchSnapshot: fetchRefund });
