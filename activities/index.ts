// The list of activities, each given what it needs.
import { actOnAgreementActivity } from './act-on-agreement.js';
import { adoptAgreementActivity } from './adopt-agreement.js';
import { adoptPaymentActivity } from './adopt-payment.js';
import { createAgreementActivity } from './create-agreement.js';
import { ensureSweepActivity } from './ensure-sweep.js';
import { exchangeCodeActivity } from './exchange-code.js';
import { findPaymentActivity } from './find-payment.js';
import { lookUpAgreementActivity } from './look-up-agreement.js';
import { lookUpPaymentActivity } from './look-up-payment.js';
import { readAgreementHistoryActivity } from './read-agreement-history.js';
import { refreshTokensActivity } from './refresh-tokens.js';
import { submitPaymentActivity } from './submit-payment.js';
import { sweepAgreementsActivity } from './sweep-agreements.js';
import { wakeWaitingActivity } from './wake-waiting.js';
import { watchAgreementActivity } from './watch-agreement.js';
import { watchPaymentActivity } from './watch-payment.js';
import type { Dependencies } from './dependencies.js';

export function createActivities(deps: Dependencies) {
  return {
    actOnAgreement: actOnAgreementActivity(deps),
    adoptAgreement: adoptAgreementActivity(deps),
    adoptPayment: adoptPaymentActivity(deps),
    createAgreement: createAgreementActivity(deps),
    ensureSweep: ensureSweepActivity(deps),
    exchangeCode: exchangeCodeActivity(deps),
    findPayment: findPaymentActivity(deps),
    lookUpAgreement: lookUpAgreementActivity(deps),
    lookUpPayment: lookUpPaymentActivity(deps),
    readAgreementHistory: readAgreementHistoryActivity(deps),
    refreshTokens: refreshTokensActivity(deps),
    submitPayment: submitPaymentActivity(deps),
    sweepAgreements: sweepAgreementsActivity(deps),
    wakeWaiting: wakeWaitingActivity(deps),
    watchAgreement: watchAgreementActivity(deps),
    watchPayment: watchPaymentActivity(deps),
  };
}
export type Activities = ReturnType<typeof createActivities>;
