// One sweep of a connection: compares the provider's lists with ours, to find changes that no webhook reported. Also resumes workflows
// that are still blocked although the connection has consent.
import { differencesIn, partOf } from '../../domain/sweep/comparison.js';
import { runScheduled } from '../on-temporal/run.js';
import { detailsOf, detailsOfEnd } from './view.js';
import type { SweepEnd, SweepInput } from './contract.js';

export const sweep = ({ connectionId }: SweepInput): Promise<SweepEnd> =>
  runScheduled(
    detailsOf(connectionId),
    async (calls, before) => {
      const agreements = await calls.sweepAgreements({ connectionId, before: differencesIn(before) });
      const payments = await calls.sweepPayments({
        connectionId,
        before: differencesIn(partOf(before, 'payments')),
      });
      const refunds = await calls.sweepRefunds({
        connectionId,
        before: differencesIn(partOf(before, 'refunds')),
      });
      const floatAccounts = await calls.startFloatAccounts({ connectionId });
      // The provider has answered, so the connection has consent. Workflows that are still blocked have missed their signal.
      const isHealthy = agreements.pages + payments.pages + refunds.pages > 0;
      const resumed = isHealthy ? await calls.resumeBlocked({ connectionId }) : undefined;
      return { ...agreements, payments, refunds, floatAccounts, resumed };
    },
    detailsOfEnd,
  );
