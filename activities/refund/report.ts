import { deliver, messageOf } from '../../delivery/deliver.js';
import { paymentOf } from '../../delivery/recipients.js';
import { refundReports } from '../../workflows/payment/contract.js';
import type { RefundReport } from '../../domain/refund/lifecycle.js';
import type { Dependencies } from '../dependencies.js';

export interface ReportRefundArgs {
  paymentUid: string;
  connectionId: string;
  report: RefundReport;
}

/** To a payment whose run may be over, or of which only its refund is known here. */
export const reportRefundActivity =
  ({ temporal, taskQueue }: Pick<Dependencies, 'temporal' | 'taskQueue'>) =>
  async ({ paymentUid, connectionId, report }: ReportRefundArgs): Promise<void> => {
    const message = messageOf('a refund', refundReports, report);
    if (!(await deliver({ client: temporal, taskQueue }, paymentOf(paymentUid, connectionId), message)))
      throw new Error(`expected payment ${paymentUid} to accept the report`);
  };
