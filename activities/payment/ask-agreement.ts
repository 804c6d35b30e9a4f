// Asks the agreement of a payment that has waited whether the payment may still be sent.
import { agreementWorkflowId, getPermission } from '../../workflows/agreement/contract.js';
import { nothingYet } from '../failure.js';
import { askOpen } from '../temporal/ask.js';
import type { PaymentOrder } from '../../domain/agreement/mandate.js';
import type { AgreementAnswer } from '../../domain/terms/judgement.js';
import type { Dependencies } from '../dependencies.js';
import type { Ref } from '../resource/snapshot.js';

const OVER: AgreementAnswer = { refusal: { code: 'agreement_final', detail: 'its agreement is over.' } };

/**
 * One reading for each attempt. It writes nothing to the agreement's history.
 * @throws ApplicationFailure `nothing_new` while it is not certain how the agreement stands.
 */
export function askAgreementActivity({ temporal, now }: Pick<Dependencies, 'temporal' | 'now'>) {
  return async function askAgreement({
    uid,
    order,
    isRetry,
  }: Ref & { order: PaymentOrder; isRetry: boolean }): Promise<AgreementAnswer> {
    const ask = { uid, order, isRetry, at: new Date(now()).toISOString() };
    const answer = await askOpen(temporal, agreementWorkflowId(order.agreement_uid), getPermission, ask);
    if (answer === null) throw nothingYet('agreement', 'it is not certain how its agreement stands');
    return answer ?? OVER;
  };
}
