// Runs the due tasks, by kind.
import { finishAction } from './agreements/actions.js';
import { cancelUnresolvedAgreement, expireAgreement, submitAgreement } from './agreements/life.js';
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
import type { ServiceName } from './store/client.schema.js';
import type { Task, TaskKind } from './store/document.js';

type TaskRunner = (engine: Engine, uid: string) => void;

/** Runs `act` on what the task is about. It may have been deleted. */
const on =
  <Subject>(find: (engine: Engine, uid: string) => Subject | undefined) =>
  (act: (engine: Engine, subject: Subject) => void): TaskRunner =>
  (engine, uid) => {
    const subject = find(engine, uid);
    if (subject !== undefined) act(engine, subject);
  };
const onAgreement = on(({ store }, uid) => store.agreements.get(uid));
const onAmendment = on(amendmentByKey);
const onPayment = on(({ store }, uid) => store.payments.get(uid));
const onRefund = on(({ store }, uid) => store.refunds.get(uid));
const onDispute = on(({ store }, uid) => store.disputes.get(uid));

const onAction = (action: InitiatorAction): TaskRunner =>
  onAgreement((engine, agreement) => {
    finishAction(engine, agreement, action);
  });

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
  request_merchant_action: onDispute(requestMerchantAction),
  send_webhook: (engine, uid) => {
    engine.webhooks.due(uid);
  },
};

export function runTask(engine: Engine, task: Task): void {
  RUNNERS[task.kind](engine, task.uid);
}
