// Delivers the outcome of a payment to its agreement, and of a refund to its payment. The recipient may have ended, or may have no workflow yet.
import { deliver, messageOf } from '../delivery/deliver.js';
import { recipientOf } from '../delivery/recipients.js';
import { paymentReports } from '../workflows/agreement/contract.js';
import { refundReports } from '../workflows/payment/contract.js';
import type { Message } from '../delivery/deliver.js';
import type { Recipient } from '../delivery/reopen.js';
import type { PaymentReport } from '../domain/payment/outcome.js';
import type { RefundReport } from '../domain/refund/lifecycle.js';
import type { Dependencies } from './dependencies.js';

interface PaymentReported {
  agreementUid: string;
  connectionId: string;
  report: PaymentReport;
}

interface RefundReported {
  paymentUid: string;
  connectionId: string;
  report: RefundReport;
}

export function reportActivities({ temporal, taskQueue }: Pick<Dependencies, 'temporal' | 'taskQueue'>) {
  async function send(recipient: Recipient, message: Message): Promise<void> {
    if (!(await deliver({ client: temporal, taskQueue }, recipient, message)))
      throw new Error(`${recipient.workflowId} did not accept the report`);
  }
  return {
    reportPayment: ({ agreementUid, connectionId, report }: PaymentReported): Promise<void> =>
      send(
        recipientOf('agreement', agreementUid, connectionId),
        messageOf('a payment', paymentReports, report),
      ),
    reportRefund: ({ paymentUid, connectionId, report }: RefundReported): Promise<void> =>
      send(recipientOf('payment', paymentUid, connectionId), messageOf('a refund', refundReports, report)),
  };
}
