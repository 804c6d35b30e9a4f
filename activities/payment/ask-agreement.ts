// Checks with the agreement of a waiting payment whether the payment may still be sent.
import { ifFound } from '../../delivery/open.js';
import {
  admitRetry,
  agreementWorkflowId,
  getPermission,
  type PaymentAsk,
} from '../../workflows/agreement/contract.js';
import { nothingYet } from '../failure.js';
import { askOpen } from '../temporal/ask.js';
import type { Client } from '@temporalio/client';
import type { PaymentOrder } from '../../domain/agreement/mandate.js';
import type { AgreementAnswer } from '../../domain/terms/judgement.js';
import type { Dependencies } from '../dependencies.js';
import type { Ref } from '../resource/snapshot.js';

const OVER: AgreementAnswer = { refusal: { code: 'agreement_final', detail: 'its agreement has ended.' } };

/** Less than the activity's timeout, so that an agreement that does not answer keeps no slot of the worker. */
const ANSWER_MS = 9000;

/**
 * Each attempt reads once and writes nothing to the agreement's history, except that it admits a retry that the agreement allows.
 * @throws ApplicationFailure `nothing_new` while the agreement's state is uncertain.
 */
export function askAgreementActivity({ temporal, now }: Pick<Dependencies, 'temporal' | 'now'>) {
  return async function askAgreement({
    uid,
    order,
    isRetry,
  }: Ref & { order: PaymentOrder; isRetry: boolean }): Promise<AgreementAnswer> {
    const workflowId = agreementWorkflowId(order.agreement_uid);
    const ask = { uid, order, isRetry, at: new Date(now()).toISOString() };
    const answer = await temporal.withDeadline(Date.now() + ANSWER_MS, async () => {
      const permission = await askOpen(temporal, workflowId, getPermission, ask);
      const isAllowed = permission != null && 'judged' in permission;
      return isRetry && isAllowed ? admit(temporal, workflowId, ask) : permission;
    });
    if (answer === null) throw nothingYet('agreement', 'the state of its agreement is uncertain');
    return answer ?? OVER;
  };
}

/** The agreement judges a retry again, and counts it as in flight from then on. Undefined if the agreement has ended. */
const admit = (
  temporal: Client,
  workflowId: string,
  { uid, order }: PaymentAsk,
): Promise<AgreementAnswer | null | undefined> =>
  ifFound(temporal.workflow.getHandle(workflowId).executeUpdate(admitRetry, { args: [{ uid, order }] }));
