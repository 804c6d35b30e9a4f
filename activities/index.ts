import { createAgreementActivity } from './agreement/create.js';
import { agreementReads } from './agreement/read.js';
import { resolveAliasActivity } from './agreement/resolve-alias.js';
import { sendCommandActivity } from './agreement/send-command.js';
import { auditDeliveriesActivity } from './audit-deliveries.js';
import { rowActivities } from './carry-out-rows.js';
import { changeClientActivity } from './client/change.js';
import { followActivities } from './follow-if-there.js';
import { createClientActivity } from './client/create.js';
import { clientReads } from './client/read.js';
import { checkAccountActivity } from './connection/check-account.js';
import { ensureSweepActivity } from './connection/ensure-sweep.js';
import { exchangeCodeActivity } from './connection/exchange-code.js';
import { refreshTokensActivity } from './connection/refresh-tokens.js';
import { resumeBlockedActivity } from './connection/resume-blocked.js';
import { createCounterpartyActivity } from './counterparty/create.js';
import { verifyAccountActivity } from './counterparty/verify-account.js';
import { readPartActivity } from './onboard/read-part.js';
import { reportProgressActivity } from './onboard/report-progress.js';
import { confirmCreditActivity } from './float/confirm.js';
import { followFloatAccountActivity } from './float/follow.js';
import { startFloatAccountsActivity } from './float/start.js';
import { startPartActivity } from './onboard/start-part.js';
import { askAgreementActivity } from './payment/ask-agreement.js';
import { awaitResumptionActivity } from './payment/await-resumption.js';
import { paymentReads } from './payment/read.js';
import { retryPaymentActivity } from './payment/retry.js';
import { submitPaymentActivity } from './payment/submit.js';
import { refundReads } from './refund/read.js';
import { reportActivities } from './deliver-reports.js';
import { runActivities } from './temporal/runs.js';
import { recordActivities } from './record.js';
import { submitRefundActivity } from './refund/submit.js';
import { sweepActivities } from './sweep/lists.js';
import { fetchSettlementActivity } from './settlement/fetch.js';
import { createVisibility } from './temporal/visibility.js';
import type { Dependencies } from './dependencies.js';

export function createActivities(deps: Dependencies) {
  const visibility = createVisibility(deps.temporal);
  const agreement = agreementReads(deps);
  const payment = paymentReads(deps);
  const refund = refundReads(deps);
  const client = clientReads(deps);
  return {
    resolveAlias: resolveAliasActivity(deps),
    createAgreement: createAgreementActivity(deps),
    findAgreement: agreement.find,
    lookUpAgreement: agreement.lookUp,
    watchAgreement: agreement.watch,
    adoptAgreement: agreement.adopt,
    sendCommand: sendCommandActivity(deps),

    submitPayment: submitPaymentActivity(deps),
    retryPayment: retryPaymentActivity(deps),
    askAgreement: askAgreementActivity(deps),
    awaitResumption: awaitResumptionActivity(deps),
    findPayment: payment.find,
    lookUpPayment: payment.lookUp,
    watchPayment: payment.watch,
    adoptPayment: payment.adopt,

    submitRefund: submitRefundActivity(deps),
    findRefund: refund.find,
    lookUpRefund: refund.lookUp,
    watchRefund: refund.watch,
    adoptRefund: refund.adopt,

    createClient: createClientActivity(deps),
    changeClient: changeClientActivity(deps),
    findClient: client.find,
    lookUpClient: client.lookUp,
    watchClient: client.watch,

    createCounterparty: createCounterpartyActivity(deps),
    verifyAccount: verifyAccountActivity(deps),

    exchangeCode: exchangeCodeActivity(deps),
    checkAccount: checkAccountActivity(deps),
    refreshTokens: refreshTokensActivity(deps),
    resumeBlocked: resumeBlockedActivity(deps, visibility),
    ensureSweep: ensureSweepActivity(deps),

    ...sweepActivities(deps, visibility),
    ...{ ...floatActivities(deps), ...followActivities(deps, { agreement, payment, refund }) },
    fetchSettlement: fetchSettlementActivity(deps),
    auditDeliveries: auditDeliveriesActivity(deps),
    ...rowActivities(deps, visibility),
    startPart: startPartActivity(deps),
    readPart: readPartActivity(deps, visibility),
    reportProgress: reportProgressActivity(deps),
    ...{ ...reportActivities(deps), ...runActivities(deps), ...recordActivities(deps) },
  };
}

const floatActivities = (deps: Dependencies) => ({
  startFloatAccounts: startFloatAccountsActivity(deps),
  followFloatAccount: followFloatAccountActivity(deps),
  confirmCredit: confirmCreditActivity(deps),
});

export type Activities = ReturnType<typeof createActivities>;
