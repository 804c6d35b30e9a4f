// The list of activities, each given what it needs. A file here for each, or for those that follow one resource; what they share
// has folders.
import { auditDeliveriesActivity } from './audit-deliveries.js';
import { createAgreementActivity } from './create-agreement.js';
import { ensureSweepActivity } from './ensure-sweep.js';
import { exchangeCodeActivity } from './exchange-code.js';
import { followAgreementActivities } from './follow-agreement.js';
import { followPaymentActivities } from './follow-payment.js';
import { readAgreementHistoryActivity } from './read-agreement-history.js';
import { refreshTokensActivity } from './refresh-tokens.js';
import { resumeBlockedActivity } from './resume-blocked.js';
import { retryPaymentActivity } from './retry-payment.js';
import { sendCommandActivity } from './send-command.js';
import { submitPaymentActivity } from './submit-payment.js';
import { sweepActivities } from './sweep-lists.js';
import { createVisibility } from './visibility.js';
import type { Dependencies } from './dependencies.js';

export function createActivities(deps: Dependencies) {
  const visibility = createVisibility(deps.temporal);
  return {
    ...followAgreementActivities(deps),
    ...followPaymentActivities(deps),
    ...sweepActivities(deps, visibility),
    auditDeliveries: auditDeliveriesActivity(deps),
    createAgreement: createAgreementActivity(deps),
    ensureSweep: ensureSweepActivity(deps),
    exchangeCode: exchangeCodeActivity(deps),
    readAgreementHistory: readAgreementHistoryActivity(deps),
    refreshTokens: refreshTokensActivity(deps),
    resumeBlocked: resumeBlockedActivity(deps, visibility),
    retryPayment: retryPaymentActivity(deps),
    sendCommand: sendCommandActivity(deps),
    submitPayment: submitPaymentActivity(deps),
  };
}
export type Activities = ReturnType<typeof createActivities>;
