// Everybody but the caller: the payer, the provider and the scheme, played or scripted.
import { scriptAction } from '../agreements/action-script.js';
import { findAgreement } from '../agreements/find-agreement.js';
import { actAsPayer } from '../agreements/payer.js';
import { actAsService } from '../agreements/service-actions.js';
import { setMerchantCategory } from '../clients/set-merchant-category.js';
import { setService } from '../clients/set-service.js';
import type { Engine } from '../engine.js';
import { patchFloatAccount } from '../float-accounts/patch-float-account.js';
import { refuse } from '../http/refusal.js';
import { scriptPayment } from '../payments/payment-scripts.js';
import { resolvePayment } from '../payments/resolve-payment.js';
import type { Control } from './control.js';

type Scripts = Pick<Control, 'scriptPayer' | 'scriptAction' | 'scriptPayment'>;
type Acts = Pick<Control, 'actAsPayer' | 'actAsService' | 'resolvePayment'>;
type Records = Pick<Control, 'setClientService' | 'setMerchantCategory' | 'patchFloatAccount'>;

export function otherSides(engine: Engine): Scripts & Acts & Records {
  return { ...scripts(engine), ...acts(engine), ...records(engine) };
}

function scripts(engine: Engine): Scripts {
  const { store } = engine;
  return {
    scriptPayer(agreementUid, { simulate, delay = 0 }) {
      if (store.agreements.has(agreementUid)) {
        throw refuse(409, 'Too late', `Agreement ${agreementUid} exists already; act as its payer instead`);
      }
      store.payerScripts.set(agreementUid, { simulate, delay });
      store.touch();
    },
    scriptAction(agreementUid, script) {
      scriptAction(engine, agreementUid, script);
    },
    scriptPayment(paymentUid, { simulate, delay = 0 }) {
      scriptPayment(engine, paymentUid, { simulate, delay });
    },
  };
}

/** Each begins with what is due: nobody acts on a state that is already past. */
function acts(engine: Engine): Acts {
  const { scheduler } = engine;
  return {
    actAsPayer(agreementUid, action) {
      scheduler.catchUp();
      actAsPayer(engine, findAgreement(engine, agreementUid), action);
    },
    actAsService(agreementUid, action) {
      scheduler.catchUp();
      actAsService(engine, findAgreement(engine, agreementUid), action);
    },
    resolvePayment(paymentUid, outcome) {
      scheduler.catchUp();
      resolvePayment(engine, paymentUid, outcome);
    },
  };
}

function records(engine: Engine): Records {
  const { scheduler } = engine;
  return {
    setClientService(clientId, service, status) {
      scheduler.catchUp();
      setService(engine, clientId, service, status);
    },
    setMerchantCategory(clientId, code) {
      scheduler.catchUp();
      setMerchantCategory(engine, clientId, code);
    },
    patchFloatAccount(id, patch) {
      scheduler.catchUp();
      patchFloatAccount(engine, id, patch);
    },
  };
}
