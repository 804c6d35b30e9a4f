// The page of a payment.
import { pathTo } from '../../routes/links.js';
import { PAYMENT_ACTIONS } from '../actions/of-payment.js';
import type { Payment, RefundsOfPayment, Timeline } from '../answers.js';
import { PAYMENT_LIFE, StateDiagram } from '../drawings/state-diagram.js';
import { dollars, sydneyDay, words } from '../format.js';
import { showPage } from '../layout.js';
import { Facts, Flags, Foreign, Money, State, Table, Time } from '../parts.js';
import { parameter, readPage, type Visit } from '../visit.js';
import { ActionLinks, DoneNotice } from './done.js';
import { SettlementOf, floatEntryOf, type FoundEntry } from './payment-settlement.js';
import { AgreementLink } from './payment-table.js';
import { showProblem } from './refusal.js';
import { TimelineOf, timelinePath } from './timeline.js';

export const paymentPage = (uid: string): string => `/console/payments/${encodeURIComponent(uid)}`;

export const showPayment = readPage(
  {
    path: '/console/payments/{uid}',
    operationId: 'showPayment',
    summary: 'Show a payment with its attempts, judgements, refunds and timeline',
    description: 'A list or the search links to it. Its forms refund, retry and withdraw.',
  },
  async (visit) => {
    const { api, c } = visit;
    const uid = parameter(visit, 'uid');
    const path = pathTo('payment', uid);
    const { answer, problem } = await api.read<{ data: Payment }>(path);
    if (problem !== undefined) return showProblem(visit, problem, 'payment with this uid');
    const [refunds, timeline, entry] = await Promise.all([
      api.read<RefundsOfPayment>(`${path}/refunds`),
      api.read<Timeline>(timelinePath(path, c.req.query('timeline'))),
      floatEntryOf(visit, answer.data),
    ]);
    const content = (
      <Content
        visit={visit}
        payment={answer.data}
        refunds={refunds.answer}
        timeline={timeline.answer}
        entry={entry}
      />
    );
    return showPage(c, { title: `Payment ${uid}`, content, session: visit });
  },
);

interface Parts {
  visit: Visit;
  payment: Payment;
  refunds: RefundsOfPayment | undefined;
  timeline: Timeline | undefined;
  entry: FoundEntry | undefined;
}

function Content({ visit, payment, refunds, timeline, entry }: Parts) {
  const page = paymentPage(payment.uid);
  return (
    <>
      <DoneNotice visit={visit} actions={PAYMENT_ACTIONS} />
      <p class="lead">{sentenceFor(payment)}</p>
      <Flags flags={payment.attention} path={page} nowMs={visit.dependencies.clock.now()} />
      <ActionLinks page={page} actions={PAYMENT_ACTIONS} resource={payment} />
      <div class="columns">
        <section aria-labelledby="state">
          <h2 id="state">State</h2>
          <StateDiagram life={PAYMENT_LIFE} state={payment.state} noun="the payment" />
        </section>
        <section aria-labelledby="facts">
          <h2 id="facts">Payment</h2>
          <PaymentFacts payment={payment} isPersonal={visit.key.scopes.includes('personal')} />
        </section>
      </div>
      <Attempts payment={payment} />
      <Judgements payment={payment} />
      <Refunds refunds={refunds} />
      <SettlementOf payment={payment} entry={entry} />
      <TimelineOf timeline={timeline} page={page} />
    </>
  );
}

/** Such as `$42.00, settled on 3 March 2026.` */
export function sentenceFor({ amount, state, state_since: since, awaiting, failure }: Payment): string {
  const what = `${amount === null ? 'An unknown amount' : dollars(amount)}, ${words(state)} ${awaiting.what === 'nothing' ? 'on' : 'since'} ${sydneyDay(since)}.`;
  const why =
    failure === null ? '' : ` ${failure.title ?? failure.detail ?? failure.code ?? ''}.`.replace('..', '.');
  return awaiting.what === 'nothing'
    ? `${what}${why}`
    : `${what}${why} It waits for: ${words(awaiting.what)}.`;
}

function PaymentFacts({ payment, isPersonal }: { payment: Payment; isPersonal: boolean }) {
  const { awaiting, failure } = payment;
  return (
    <Facts
      rows={[
        ['State', <State state={payment.state} />],
        ['Amount', <Money cents={payment.amount} />],
        ['Refunded', payment.refunded === 0 ? null : <Money cents={payment.refunded} />],
        ['Agreement', <AgreementLink uid={payment.agreement_uid} />],
        ['Reference', payment.reference == null ? null : <Foreign text={payment.reference} />],
        ['Description', payment.description == null ? null : <Foreign text={payment.description} />],
        [
          'Payer',
          isPersonal ? (
            <Foreign text={payment.debtor?.party_name} />
          ) : (
            'hidden: your key lacks the scope personal'
          ),
        ],
        ['Waits for', awaiting.what === 'nothing' ? 'nothing' : `${words(awaiting.what)}. ${awaiting.next}`],
        ['Waits since', awaiting.what === 'nothing' ? null : <Time at={awaiting.since} />],
        [
          'Waits until',
          awaiting.what === 'nothing' || awaiting.until === null ? null : <Time at={awaiting.until} />,
        ],
        ['To be sent by', payment.submit_before === null ? null : <Time at={payment.submit_before} />],
        [
          'Failure',
          failure === null ? null : <Foreign text={failure.detail ?? failure.title ?? failure.code} />,
        ],
        ['What to do', failure?.next],
        ['Requested', <Time at={payment.requested_at} />],
        ['Requested by', payment.requested_by ?? 'found at the provider'],
        ['Connection', payment.connection ?? '–'],
      ]}
    />
  );
}

const Attempts = ({ payment: { attempts } }: { payment: Payment }) => (
  <section aria-labelledby="attempts">
    <h2 id="attempts">Attempts</h2>
    {attempts.length === 0 ? (
      <p>No attempt is recorded.</p>
    ) : (
      <Table
        label="Attempts"
        heads={['Attempt', 'State', 'Started', 'Ended', 'Sent', 'By', 'Failure']}
        rows={attempts.map((attempt) => [
          String(attempt.n),
          <State state={attempt.state} />,
          <Time at={attempt.started_at} />,
          <Time at={attempt.ended_at} />,
          attempt.sent === null ? 'not decided' : attempt.sent ? 'yes' : 'no',
          attempt.requested_by ?? 'the first request',
          <Foreign text={attempt.failure?.detail ?? attempt.failure?.code} />,
        ])}
      />
    )}
  </section>
);

const Judgements = ({ payment: { judgements } }: { payment: Payment }) =>
  judgements.length === 0 ? null : (
    <section aria-labelledby="judgements">
      <h2 id="judgements">Why the agreement allowed it</h2>
      <Table
        label="Judgements"
        heads={['Attempt', 'At', 'Agreement', 'Terms']}
        rows={judgements.map(({ attempt, at, agreement_state: state, terms }) => [
          String(attempt),
          <Time at={at} />,
          <State state={state} />,
          [
            words(terms.type ?? ''),
            words(terms.frequency ?? ''),
            terms.amount === undefined ? '' : `${dollars(terms.amount)} each`,
            terms.max_amount === undefined ? '' : `up to ${dollars(terms.max_amount)}`,
          ]
            .filter((part) => part !== '')
            .join(', '),
        ])}
      />
    </section>
  );

const Refunds = ({ refunds }: Pick<Parts, 'refunds'>) =>
  refunds === undefined || refunds.data.length === 0 ? null : (
    <section aria-labelledby="refunds">
      <h2 id="refunds">Refunds</h2>
      <Table
        label="Refunds"
        heads={['Refund', 'State', 'Amount', 'Requested']}
        rows={refunds.data.map((refund) => [
          <code>{refund.uid}</code>,
          <State state={refund.outcome} />,
          <Money cents={refund.amount} />,
          <Time at={refund.requested_at} />,
        ])}
      />
    </section>
  );
