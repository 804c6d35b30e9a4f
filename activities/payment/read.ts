// The activities findPayment, lookUpPayment, watchPayment and adoptPayment.
import { showsTheSame } from '../../domain/payment/lifecycle.js';
import { readActivities } from '../resource/read.js';
import { fetchPayment } from '../resource/snapshot.js';
import type { Dependencies } from '../dependencies.js';

export const paymentReads = (deps: Dependencies) =>
  readActivities(deps, { resource: 'payment', fetchSnapshot: fetchPayment, showsTheSame });
