// One sweep of a connection: the provider's lists against ours, so that what no webhook reported is found all the same; and what
// waits for consent, though there is one, is resumed.
import { differencesIn, paymentsIn } from '../../domain/facts/sweep.js';
import { runScheduled } from '../entity/engine/temporal.js';
import { detailsOf, detailsOfEnd } from './view.js';
import type { SweepEnd, SweepInput } from './contract.js';

export const sweep = ({ connectionId }: SweepInput): Promise<SweepEnd> =>
  runScheduled(
    detailsOf(connectionId),
    async (calls, before) => {
      const agreements = await calls.sweepAgreements({ connectionId, before: differencesIn(before) });
      const payments = await calls.sweepPayments({
        connectionId,
        before: differencesIn(paymentsIn(before)),
      });
      // The provider has answered, so who still waits for consent has missed that there is one.
      const isHealthy = agreements.pages + payments.pages > 0;
      const resumed = isHealthy ? await calls.resumeBlocked({ connectionId }) : undefined;
      return { ...agreements, payments, resumed };
    },
    detailsOfEnd,
  );
