import { resolveAliasActivity } from './agreement/resolve-alias.js';
import { sendCommandActivity } from './agreement/send-command.js';
import { auditDeliveriesActivity } from './audit-deliveries.js';
import { copyKeyActivity } from './copy-key.js';
import { rowActivities } from './carry-out-rows.js';
import { followActivities } from './follow-if-there.js';
import { keepGoneActivity } from './keep-gone.js';
import { checkAccountActivity } from './connection/check-account.js';
import { exchangeCodeActivity } from './connection/exchange-code.js';
import { refreshTokensActivity } from './connection/refresh-tokens.js';
import { resumeBlockedActivity } from './connection/resume-blocked.js';
import { createCounterpartyActivity } from './counterparty/create.js';
import { verifyAccountActivity } from './counterparty/verify-account.js';
import { readPartActivity } from './onboard/read-part.js';
import { confirmCreditActivity } from './float/cases.js';
import { followFloatAccountActivity } from './float/follow.js';
import { startFloatAccountsActivity } from './float/start.js';
import { startPartActivity } from './onboard/start-part.js';
import { askAgreementActivity } from './payment/ask-agreement.js';
import { listRefundsActivity } from './payment/list-refunds.js';
import { retryPaymentActivity } from './payment/retry.js';
import { changeClientActivity, resourceReads, submissions } from './resource/calls.js';
import { namedReads } from '../workflows/contracts/reads.js';
import { reportActivities, runActivities } from './temporal/runs.js';
import { recordActivities } from './record.js';
import { sweepListActivity } from './sweep/lists.js';
import { ensureSweepActivity } from './sweep/schedule.js';
import { awaitResumptionActivity } from './temporal/stops.js';
import { fetchSettlementActivity } from './settlement/fetch.js';
import { deliverWebhooksActivity } from './webhook/deliver.js';
import { sendWebhookOnceActivity } from './webhook/send-once.js';
import { createVisibility } from './temporal/visibility.js';
import type { Dependencies } from './dependencies.js';

export function createActivities(deps: Dependencies) {
  const visibility = createVisibility(deps.temporal);
  const reads = resourceReads(deps);
  return {
    ...namedReads('agreement', reads.agreement),
    ...namedReads('payment', reads.payment),
    ...namedReads('refund', reads.refund),
    ...namedReads('client', reads.client),
    ...submissions(deps),

    resolveAlias: resolveAliasActivity(deps),
    sendCommand: sendCommandActivity(deps),
    retryPayment: retryPaymentActivity(deps),
    askAgreement: askAgreementActivity(deps),
    listRefunds: listRefundsActivity(deps),
    awaitResumption: awaitResumptionActivity(deps),
    changeClient: changeClientActivity(deps),
    createCounterparty: createCounterpartyActivity(deps),
    verifyAccount: verifyAccountActivity(deps),

    exchangeCode: exchangeCodeActivity(deps),
    checkAccount: checkAccountActivity(deps),
    refreshTokens: refreshTokensActivity(deps),
    resumeBlocked: resumeBlockedActivity(deps, visibility),
    ensureSweep: ensureSweepActivity(deps),

    sweepList: sweepListActivity(deps, visibility),
    ...followActivities(deps, reads),
    keepGone: keepGoneActivity(deps),
    startFloatAccounts: startFloatAccountsActivity(deps),
    followFloatAccount: followFloatAccountActivity(deps),
    confirmCredit: confirmCreditActivity(deps),
    fetchSettlement: fetchSettlementActivity(deps),
    deliverWebhooks: deliverWebhooksActivity(deps),
    sendWebhookOnce: sendWebhookOnceActivity(deps),
    auditDeliveries: auditDeliveriesActivity(deps),
    ...rowActivities(deps, visibility),
    startPart: startPartActivity(deps),
    readPart: readPartActivity(deps, visibility),
    ...reportActivities(deps),
    ...runActivities(deps),
    ...recordActivities(deps),
    copyKey: copyKeyActivity(deps),
  };
}

export type Activities = ReturnType<typeof createActivities>;
