// What each kind of task does when it comes due.
import { cancelUnresolvedAgreement, expireAgreement, submitAgreement } from '../agreements/agreement-life.js';
import type { Engine } from '../engine.js';
import type { Agreement } from '../agreements/agreement.schema.js';
import type { Payment } from '../payments/payment.schema.js';
import type { Task, TaskKind } from './task.schema.js';
import {
  answerAmendment,
  expireAmendment,
  submitAmendment,
} from '../agreements/amendments/amendment-life.js';
import type { OfAgreement } from '../agreements/amendments/amendment-states.js';
import { amendmentByKey } from '../agreements/amendments/find-amendment.js';
import { finishRecall } from '../agreements/amendments/recall.js';
import { finishAction } from '../agreements/initiator-actions.js';
import type { InitiatorAction } from '../agreements/agreement-action.schema.js';
import { answerAgreement } from '../agreements/payer.js';
import { progressPayment, submitPayment } from '../payments/payment-life.js';
import { concludeRefund, followRefundPayment, processRefund } from '../refunds/refund-life.js';
import type { Refund } from '../refunds/refund.schema.js';
import { activateService } from '../clients/client-services.js';
import type { ServiceName } from '../clients/client.schema.js';

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
  send_webhook: (engine, uid) => {
    engine.webhooks.due(uid);
  },
};

export function runTask(engine: Engine, task: Task): void {
  RUNNERS[task.kind](engine, task.uid);
}
