// Runs the due tasks, by kind.
import { finishAction } from './agreements/actions.js';
import { cancelUnresolvedAgreement, expireAgreement, submitAgreement } from './agreements/life.js';
import type { OfAgreement } from './agreements/states.js';
import {
  answerAmendment,
  expireAmendment,
  submitAmendment,
  amendmentByKey,
  finishRecall,
} from './amendments/life.js';
import { activateService } from './clients/services.js';
import type { Engine } from './engine/parts.js';
import { requestMerchantAction } from './investigations/states.js';
import { answerAgreement } from './payer/actions.js';
import { progressPayment, submitPayment } from './payments/life.js';
import { concludeRefund, followRefundPayment, processRefund } from './refunds/life.js';
import type { InitiatorAction } from './store/action.schema.js';
import type { Agreement } from './store/agreement.schema.js';
import type { ServiceName } from './store/client.schema.js';
import type { Task, TaskKind } from './store/document.js';
import type { Payment } from './store/payment.schema.js';
import type { Refund } from './store/refund.schema.js';

type TaskRunner = (engine: Engine, uid: string) => void;

const onAgreement =
  (act: (engine: Engine, agreement: Agreement) => void): TaskRunner =>
  (engine, uid) => {
    const agreement = engine.store.agreements.get(uid);
    if (agreement !== undefined) act(engine, agreement);
  };

const onAction = (action: InitiatorAction): TaskRunner =>
  onAgreement((engine, agreement) => {
    finishAction(engine, agreement, action);
  });

const onAmendment =
  (act: (engine: Engine, it: OfAgreement) => void): TaskRunner =>
  (engine, uid) => {
    const it = amendmentByKey(engine, uid);
    if (it !== undefined) act(engine, it);
  };

const onPayment =
  (act: (engine: Engine, payment: Payment) => void): TaskRunner =>
  (engine, uid) => {
    const payment = engine.store.payments.get(uid);
    if (payment !== undefined) act(engine, payment);
  };

const onRefund =
  (act: (engine: Engine, refund: Refund) => void): TaskRunner =>
  (engine, uid) => {
    const refund = engine.store.refunds.get(uid);
    if (refund !== undefined) act(engine, refund);
  };

const onService =
  (service: ServiceName): TaskRunner =>
  (engine, uid) => {
    activateService(engine, uid, service);
  };

const RUNNERS: Record<TaskKind, TaskRunner> = {
  submit_agreement: onAgreement(submitAgreement),
  answer_agreement: onAgreement(answerAgreement),
  expire_agreement: onAgreement(expireAgreement),
  cancel_unresolved_agreement: onAgreement(cancelUnresolvedAgreement),
  finish_suspension: onAction('suspension'),
  finish_cancellation: onAction('cancellation'),
  finish_reactivation: onAction('reactivation'),
  submit_amendment: onAmendment(submitAmendment),
  answer_amendment: onAmendment(answerAmendment),
  expire_amendment: onAmendment(expireAmendment),
  finish_recall: onAmendment(finishRecall),
  submit_payment: onPayment(submitPayment),
  progress_payment: onPayment(progressPayment),
  process_refund: onRefund(processRefund),
  conclude_refund: onRefund(concludeRefund),
  follow_refund_payment: onRefund(followRefundPayment),
  activate_payto: onService('payto'),
  activate_rtp: onService('rtp'),
  activate_de: onService('de'),
  request_merchant_action: (engine, uid) => {
    const dispute = engine.store.disputes.get(uid);
    if (dispute !== undefined) requestMerchantAction(engine, dispute);
  },
  send_webhook: (engine, uid) => {
    engine.webhooks.due(uid);
  },
};

export function runTask(engine: Engine, task: Task): void {
  RUNNERS[task.kind](engine, task.uid);
}
