// Payments as a table.
import type { Payment } from '../answers.js';
import { FlagsBeside, Foreign, Money, State, Table, Time } from '../parts.js';

export function PaymentTable({
  payments,
  isWithAgreement,
}: {
  payments: readonly Payment[];
  isWithAgreement: boolean;
}) {
  if (payments.length === 0) return <p>No payments.</p>;
  return (
    <Table
      label="Payments"
      heads={[
        'Payment',
        'State',
        'Amount',
        'Requested',
        'Reference',
        ...(isWithAgreement ? ['Agreement'] : []),
      ]}
      rows={payments.map((payment) => [
        <a href={`/console/payments/${encodeURIComponent(payment.uid)}`}>{payment.uid}</a>,
        <>
          <State state={payment.state} />
          <FlagsBeside attention={payment.attention} />
        </>,
        <Money cents={payment.amount} />,
        <Time at={payment.requested_at} />,
        <Foreign text={payment.reference} />,
        ...(isWithAgreement ? [<AgreementLink uid={payment.agreement_uid} />] : []),
      ])}
    />
  );
}

export const AgreementLink = ({ uid }: { uid: string | null | undefined }) =>
  uid == null ? <>–</> : <a href={`/console/agreements/${encodeURIComponent(uid)}`}>{uid}</a>;
