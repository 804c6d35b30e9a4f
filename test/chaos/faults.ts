import type { Control } from '../../sandbox/control/create.js';
import { payoutsOf, type Campaign } from './campaign.js';

export const SUBMISSIONS = ['create_payment', 'retry_payment', 'create_refund'] as const;

const CUT_BEFORE = 0.05;
const CUT_AFTER = 0.15 / (1 - CUT_BEFORE);
const ERROR_AFTER = 0.02 / (1 - CUT_BEFORE) / (1 - CUT_AFTER);
const LAG_SECONDS = 30;

export function setFaults(control: Control, { seed, intents }: Campaign): void {
  control.setSeed(String(seed));
  for (const on of SUBMISSIONS) {
    const common = { on, share_by: 'resource' } as const;
    control.addFault({ ...common, do: 'cut_before_commit', share: CUT_BEFORE });
    control.addFault({ ...common, do: 'cut_after_commit', share: CUT_AFTER });
    control.addFault({ ...common, do: 'error_500_after_commit', share: ERROR_AFTER });
  }
  const lagging = intents.filter(({ isLagging }) => isLagging);
  for (const resource_uid of lagging.flatMap(({ uid, refunds }) => [
    uid,
    ...refunds.map((refund) => refund.uid),
    ...refunds.flatMap(payoutsOf),
  ]))
    control.addFault({ on: '*', do: 'read_lag', lag_seconds: LAG_SECONDS, resource_uid });
}
