// The commands of a payment.
import type { Payment } from '../answers.js';
import { centsIn, dollars } from '../format.js';
import type { Form } from '../form.js';
import { given, type Action, type Request } from './action.js';

/** What is left to refund. A refund that has not ended counts as refunded. */
const leftOf = ({ amount, refunded }: Payment): number => (amount ?? 0) - refunded;

export const PAYMENT_ACTIONS: readonly Action<Payment>[] = [
  {
    ...{ name: 'refund', title: 'Refund', scope: 'write', operationId: 'requestRefund' },
    isOffered: (payment) => payment.state === 'settled' && leftOf(payment) > 0,
    effect: (payment) => [
      `The provider pays the amount from the float account to the payer. At most ${dollars(leftOf(payment))} of ${dollars(payment.amount ?? 0)} is left to refund.`,
      'A refund cannot be taken back. The same form pays only once, also if you send it twice.',
    ],
    fields: [
      { name: 'amount', label: 'Amount in dollars', hint: 'Such as 42.50', type: 'money', isRequired: true },
      { name: 'account', label: 'Paid from the float account', type: 'float-account' },
      {
        ...{
          name: 'description',
          label: 'Description',
          hint: 'The payer reads it. It must start with REFUND.',
        },
        ...{ type: 'text', isRequired: true, longest: 280, initial: 'REFUND' },
      },
    ],
    request: refundRequest,
    done: 'The refund was accepted. It is paid once the provider has processed it.',
  },
  {
    ...{ name: 'retry', title: 'Retry', scope: 'write', operationId: 'retryPayment' },
    isOffered: ({ state, failure }) => state === 'failed' && failure?.retryable === true,
    effect: ({ amount }) => [
      `The agreement checks its terms again. If they allow it, the provider gets the payment of ${dollars(amount ?? 0)} again, under the same uid.`,
      'The payer is debited at most once.',
    ],
    fields: [],
    request: (path) => ({ path: `${path}/retry`, body: {} }),
    done: 'The retry was accepted. The attempts below show its outcome.',
  },
  {
    ...{ name: 'withdrawal', title: 'Withdraw', scope: 'write' },
    isOffered: ({ state, submissions }) =>
      state === 'retrying' || (state === 'requested' && submissions === 0),
    effect: () => [
      'The worker does not send the payment. If the provider may have it already, the API refuses this: wait for the outcome then.',
    ],
    fields: [{ name: 'reason', label: 'Reason', type: 'text', isRequired: true, longest: 256 }],
    request: (path, form) => ({ path: `${path}/withdrawal`, body: given(form, 'reason') }),
    done: 'The payment was withdrawn.',
  },
  {
    ...{ name: 'look-up', title: 'Look up', scope: 'write', operationId: 'lookUpPayment' },
    isOffered: () => true,
    effect: () => [
      'The worker reads the payment from the provider now. It changes nothing there, and the timeline shows the result.',
    ],
    fields: [],
    request: (path) => ({ path: `${path}/look-up`, body: {} }),
    done: 'The look-up has started. Reload the page in a few seconds: the timeline shows its result.',
  },
];

function refundRequest(path: string, form: Form): Request {
  const amount = centsIn(form['amount'] ?? '');
  if (amount === undefined) return { wrong: 'Write the amount in dollars, such as 42.50.' };
  const { account: float_bank_account_id, ...description } = given(form, 'account', 'description');
  const refund_payment = { type: 'float_bank_payment', float_bank_account_id, amount, ...description };
  return { path: `${path}/refunds`, body: { uid: form['key'], refund_payment } };
}
