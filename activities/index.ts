// The list of activities, each given what it needs. A file here for each, but for those by which resources are followed, which have
// one; what they share has folders: `attempts/` (of any call), `temporal/` (asking our own workflows) and one for each idea.
import { auditDeliveriesActivity } from './audit-deliveries.js';
import { awaitLiftingActivity } from './payment/await-resumption.js';
import { ensureSweepActivity } from './connection/ensure-sweep.js';
import { exchangeCodeActivity } from './connection/exchange-code.js';
import { rowActivities } from './carry-out-rows.js';
import { onboardActivity } from './onboard.js';
import { readAgreementHistoryActivity } from './agreement/read-history.js';
import { refreshTokensActivity } from './connection/refresh-tokens.js';
import { resourceActivities } from './resource-activities.js';
import { resumeBlockedActivity } from './connection/resume-blocked.js';
import { retryPaymentActivity } from './payment/retry.js';
import { sendCommandActivity } from './agreement/send-command.js';
import { sweepActivities } from './sweep/lists.js';
import { createVisibility } from './temporal/visibility.js';
import type { Dependencies } from './dependencies.js';

export function createActivities(deps: Dependencies) {
  const visibility = createVisibility(deps.temporal);
  return {
    ...resourceActivities(deps),
    ...sweepActivities(deps, visibility),
    ...rowActivities(deps, visibility),
    auditDeliveries: auditDeliveriesActivity(deps),
    awaitLifting: awaitLiftingActivity(deps),
    ensureSweep: ensureSweepActivity(deps),
    exchangeCode: exchangeCodeActivity(deps),
    onboard: onboardActivity(deps),
    readAgreementHistory: readAgreementHistoryActivity(deps),
    refreshTokens: refreshTokensActivity(deps),
    resumeBlocked: resumeBlockedActivity(deps, visibility),
    retryPayment: retryPaymentActivity(deps),
    sendCommand: sendCommandActivity(deps),
  };
}
export type Activities = ReturnType<typeof createActivities>;
