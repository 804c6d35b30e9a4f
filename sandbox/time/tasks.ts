// What each kind of task does when it comes due.
import { cancelUnresolvedAgreement, expireAgreement, submitAgreement } from '../agreements/agreement-life.js';
import type { Engine } from '../engine.js';
import type { Agreement } from '../agreements/agreement.schema.js';
import type { Payment } from '../payments/payment.schema.js';
import type { Task, TaskKind } from './task.schema.js';
import { answerAgreement } from '../agreements/payer.js';
import { progressPayment, submitPayment } from '../payments/payment-life.js';

type TaskRunner = (engine: Engine, uid: string) => void;

const onAgreement =
  (act: (engine: Engine, agreement: Agreement) => void): TaskRunner =>
  (engine, uid) => {
    const agreement = engine.store.agreements.get(uid);
    if (agreement !== undefined) act(engine, agreement);
  };

const onPayment =
  (act: (engine: Engine, payment: Payment) => void): TaskRunner =>
  (engine, uid) => {
    const payment = engine.store.payments.get(uid);
    if (payment !== undefined) act(engine, payment);
  };

const RUNNERS: Record<TaskKind, TaskRunner> = {
  submit_agreement: onAgreement(submitAgreement),
  answer_agreement: onAgreement(answerAgreement),
  expire_agreement: onAgreement(expireAgreement),
  cancel_unresolved_agreement: onAgreement(cancelUnresolvedAgreement),
  submit_payment: onPayment(submitPayment),
  progress_payment: onPayment(progressPayment),
  send_webhook: (engine, uid) => {
    engine.webhooks.due(uid);
  },
};

export function runTask(engine: Engine, task: Task): void {
  RUNNERS[task.kind](engine, task.uid);
}
