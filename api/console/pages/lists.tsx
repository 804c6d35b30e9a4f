// The lists of agreements and payments.
import { AGREEMENT_VIEW_STATES } from '../../routes/agreement/answer.schema.js';
import { PAYMENT_VIEW_STATES } from '../../routes/payment/answer.schema.js';
import type { Agreement, Payment } from '../answers.js';
import { FlagsBeside, Foreign, State, Table, Time, flagsOf } from '../parts.js';
import { listPages } from './list-page.js';
import { PaymentTable } from './payment-table.js';

export const agreementLists = listPages<Agreement>({
  plural: 'agreements',
  operationIds: ['browseAgreements', 'downloadAgreements'],
  states: AGREEMENT_VIEW_STATES,
  columns: [
    ['uid', ({ uid }) => uid],
    ['state', ({ state }) => state],
    ['state_since', ({ state_since: since }) => since],
    ['flags', flagsOf],
    ['description', ({ description }) => description],
    ['created_at', ({ created_at: at }) => at],
    ['connection', ({ connection }) => connection],
    ['payments', ({ payments }) => payments.count],
  ],
  table: (agreements) => <AgreementTable agreements={agreements} />,
});

export const paymentLists = listPages<Payment>({
  plural: 'payments',
  operationIds: ['browsePayments', 'downloadPayments'],
  states: PAYMENT_VIEW_STATES,
  filters: [
    ['agreement', 'Agreement'],
    ['reference', 'Reference'],
  ],
  columns: [
    ['uid', ({ uid }) => uid],
    ['agreement_uid', ({ agreement_uid: agreement }) => agreement],
    ['state', ({ state }) => state],
    ['state_since', ({ state_since: since }) => since],
    ['amount', ({ amount }) => amount],
    ['refunded', ({ refunded }) => refunded],
    ['reference', ({ reference }) => reference],
    ['failure', ({ failure }) => failure?.code],
    ['flags', flagsOf],
    ['requested_at', ({ requested_at: at }) => at],
    ['connection', ({ connection }) => connection],
  ],
  table: (payments) => <PaymentTable payments={payments} isWithAgreement />,
});

function AgreementTable({ agreements }: { agreements: readonly Agreement[] }) {
  if (agreements.length === 0) return <p>No agreements.</p>;
  return (
    <Table
      label="Agreements"
      heads={['Agreement', 'State', 'Description', 'Requested', 'Connection']}
      rows={agreements.map(({ uid, state, description, created_at: at, connection, attention }) => [
        <a href={`/console/agreements/${encodeURIComponent(uid)}`}>{uid}</a>,
        <>
          <State state={state} />
          <FlagsBeside attention={attention} />
        </>,
        <Foreign text={description} />,
        <Time at={at} />,
        connection ?? '–',
      ])}
    />
  );
}
