import { deliver, messageOf } from '../../delivery/deliver.js';
import { agreementOf } from '../../delivery/recipients.js';
import { paymentReports } from '../../workflows/agreement/contract.js';
import type { PaymentReport } from '../../domain/payment/outcome.js';
import type { Dependencies } from '../dependencies.js';

export interface ReportPaymentArgs {
  agreementUid: string;
  connectionId: string;
  report: PaymentReport;
}

/** To an agreement whose run is over, or of which only its payment is known here. */
export const reportPaymentActivity =
  ({ temporal, taskQueue }: Pick<Dependencies, 'temporal' | 'taskQueue'>) =>
  async ({ agreementUid, connectionId, report }: ReportPaymentArgs): Promise<void> => {
    const message = messageOf('a payment', paymentReports, report);
    if (!(await deliver({ client: temporal, taskQueue }, agreementOf(agreementUid, connectionId), message)))
      throw new Error(`expected agreement ${agreementUid} to accept the report`);
  };
