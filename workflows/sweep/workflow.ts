// One sweep of a connection: compares the provider's lists with ours, to find changes that no webhook reported. Also resumes workflows
// that are still blocked although the connection has consent.
import { EVENT_RESOURCES, type EventResource } from '../../domain/resources.js';
import { differencesIn, type SweepReport } from '../../domain/sweep/comparison.js';
import { runScheduled } from '../on-temporal/run.js';
import { detailsOf, detailsOfEnd } from './view.js';
import type { SweepEnd, SweepInput } from './contract.js';

export const sweep = ({ connectionId }: SweepInput): Promise<SweepEnd> =>
  runScheduled(
    detailsOf(connectionId),
    async (calls, before) => {
      const found: [EventResource, SweepReport][] = [];
      for (const resource of EVENT_RESOURCES)
        found.push([
          resource,
          await calls.sweepList({ resource, connectionId, before: differencesIn(before, resource) }),
        ]);
      const floatAccounts = await calls.startFloatAccounts({ connectionId });
      // The provider has answered, so the connection has consent. Workflows that are still blocked have missed their signal.
      const isHealthy = found.some(([, { pages }]) => pages > 0);
      const resumed = isHealthy ? await calls.resumeBlocked({ connectionId }) : undefined;
      const reports = Object.fromEntries(found) as SweepEnd['reports'];
      return { connectionId, reports, floatAccounts, resumed };
    },
    detailsOfEnd,
  );
