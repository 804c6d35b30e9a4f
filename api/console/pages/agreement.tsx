// The page of an agreement.
import { sydneyDayOf } from '../../../domain/time/sydney.js';
import { pathTo } from '../../routes/links.js';
import { AGREEMENT_ACTIONS } from '../actions/of-agreement.js';
import { AGREEMENT_LIFE, StateDiagram } from '../drawings/state-diagram.js';
import type { Agreement, PaymentPage, Periods, Plan, Timeline } from '../answers.js';
import { dayInWords, sentenceOf, words } from '../format.js';
import { showPage } from '../layout.js';
import { Facts, Flags, Foreign, Money, State, Table, Time } from '../parts.js';
import { parameter, readPage, type Visit } from '../visit.js';
import { sentenceFor, usedIn } from './agreement-sentence.js';
import { ActionLinks, DoneNotice } from './done.js';
import { PaymentTable } from './payment-table.js';
import { showProblem } from './refusal.js';
import { TimelineOf, timelinePath } from './timeline.js';

export const agreementPage = (uid: string): string => `/console/agreements/${encodeURIComponent(uid)}`;

export const showAgreement = readPage(
  {
    path: '/console/agreements/{uid}',
    operationId: 'showAgreement',
    summary: 'Show an agreement with its payments, plan and timeline',
    description: 'A list or the search links to it. Its forms send commands.',
  },
  async (visit) => {
    const uid = parameter(visit, 'uid');
    const path = pathTo('agreement', uid);
    const { answer, problem } = await visit.api.read<{ data: Agreement }>(path);
    if (problem !== undefined) return showProblem(visit, problem, 'agreement with this uid');
    const parts = await partsOf(visit, uid, path, answer.data.connection);
    return showPage(visit.c, {
      title: `Agreement ${uid}`,
      content: <Content visit={visit} agreement={answer.data} {...parts} />,
      session: visit,
    });
  },
);

interface Parts {
  periods: Periods | undefined;
  payments: PaymentPage | undefined;
  plan: Plan | undefined;
  timeline: Timeline | undefined;
}

async function partsOf(
  { api, c }: Visit,
  uid: string,
  path: string,
  connection: string | null,
): Promise<Parts> {
  const ofAgreement = new URLSearchParams({
    agreement: uid,
    per_page: '20',
    ...(connection !== null && { connection }),
  });
  const [periods, payments, plan, timeline] = await Promise.all([
    api.read<Periods>(`${path}/payments?per_page=1`),
    api.read<PaymentPage>(`/v1/payments?${ofAgreement.toString()}`),
    api.read<{ data: Plan }>(`${path}/plan`),
    api.read<Timeline>(timelinePath(path, c.req.query('timeline'))),
  ]);
  return {
    ...{ periods: periods.answer, payments: payments.answer },
    ...{ plan: plan.answer?.data, timeline: timeline.answer },
  };
}

function Content({
  visit,
  agreement,
  periods,
  payments,
  plan,
  timeline,
}: Parts & { visit: Visit; agreement: Agreement }) {
  const page = agreementPage(agreement.uid);
  const nowMs = visit.dependencies.clock.now();
  const today = sydneyDayOf(new Date(nowMs).toISOString());
  return (
    <>
      <DoneNotice visit={visit} actions={AGREEMENT_ACTIONS} />
      <p class="lead">{sentenceFor(agreement)}</p>
      <Flags flags={agreement.attention} path={page} nowMs={nowMs} />
      <ActionLinks page={page} actions={AGREEMENT_ACTIONS} resource={agreement}>
        {agreement.state === 'active' ? <a href={`${page}/payments`}>Take a payment</a> : null}
      </ActionLinks>
      <div class="columns">
        <section aria-labelledby="state">
          <h2 id="state">State</h2>
          <StateDiagram life={AGREEMENT_LIFE} state={agreement.state} noun="the agreement" />
          <StateFacts agreement={agreement} />
        </section>
        <section aria-labelledby="terms">
          <h2 id="terms">Terms</h2>
          <TermFacts agreement={agreement} isPersonal={visit.key.scopes.includes('personal')} />
          {periods === undefined ? null : <p>{usedIn(agreement, periods.periods, today)}</p>}
        </section>
      </div>
      <section aria-labelledby="payments">
        <h2 id="payments">Payments</h2>
        <PaymentTable payments={payments?.data ?? []} isWithAgreement={false} />
        {payments?.links.next === undefined ? null : (
          <p>
            <a href={`/console/payments?agreement=${encodeURIComponent(agreement.uid)}`}>All its payments</a>
          </p>
        )}
      </section>
      {plan === undefined ? null : <PlanOf plan={plan} />}
      <Commands agreement={agreement} />
      <TimelineOf timeline={timeline} page={page} />
    </>
  );
}

const StateFacts = ({ agreement }: { agreement: Agreement }) => (
  <Facts
    rows={[
      ['State', <State state={agreement.state} />],
      ['Since', <Time at={agreement.state_since} />],
      [
        'Reason',
        agreement.state_reason === null ? null : (
          <Foreign text={agreement.state_reason.detail ?? agreement.state_reason.code} />
        ),
      ],
      [
        'Waits for',
        agreement.awaiting.what === 'nothing'
          ? 'nothing'
          : `${words(agreement.awaiting.what)}. ${agreement.awaiting.next}`,
      ],
      ['The payer must', agreement.payer_action?.text],
      ['Connection', agreement.connection ?? '–'],
      ['Requested', <Time at={agreement.created_at} />],
      ['Requested by', agreement.requested_by ?? 'found at the provider'],
      ['Scheme’s id', agreement.mms_agreement_id],
    ]}
  />
);

const HIDDEN = 'hidden: your key lacks the scope personal';
const accountOf = (party: Agreement['debtor']): string | undefined =>
  party?.account_identifier?.value ?? party?.payment_account_uid ?? undefined;

function TermFacts({ agreement, isPersonal }: { agreement: Agreement; isPersonal: boolean }) {
  const { payment_terms: terms, debtor, creditor } = agreement;
  const personal = (text: string | null | undefined) => (isPersonal ? <Foreign text={text} /> : HIDDEN);
  return (
    <Facts
      rows={[
        ['Description', <Foreign text={agreement.description} />],
        ['Purpose', agreement.purpose == null ? null : words(agreement.purpose)],
        ['Payer', personal(debtor?.party_name)],
        ['Payer’s account', personal(accountOf(debtor))],
        ['Creditor', personal(creditor?.party_name)],
        ['Type', terms?.type == null ? null : words(terms.type)],
        ['Frequency', terms?.frequency == null ? null : words(terms.frequency)],
        ['Amount', terms?.amount == null ? null : <Money cents={terms.amount} />],
        ['Most for each payment', terms?.max_amount == null ? null : <Money cents={terms.max_amount} />],
        [
          'Valid from',
          agreement.validity_start_date == null ? null : dayInWords(agreement.validity_start_date),
        ],
        [
          'Valid until',
          agreement.validity_end_date == null ? 'cancelled' : dayInWords(agreement.validity_end_date),
        ],
      ]}
    />
  );
}

const PlanOf = ({ plan }: { plan: Plan }) => (
  <section aria-labelledby="plan">
    <h2 id="plan">Plan</h2>
    <p>
      The plan is {words(plan.state)}. {plan.by} set it at <Time at={plan.since} />.
    </p>
    {plan.warnings.length === 0 ? null : (
      <ul class="notice warn">
        {plan.warnings.map((warning) => (
          <li>{warning}</li>
        ))}
      </ul>
    )}
    {plan.upcoming.length === 0 ? (
      <p>No date is left.</p>
    ) : (
      <ol class="strip" aria-label="The next dates">
        {plan.upcoming.slice(0, 10).map(({ date, taken_on: takenOn, amount, forbidden }) => (
          <li class={forbidden === null ? '' : 'warn'}>
            <b>{dayInWords(takenOn ?? date)}</b>
            <Money cents={amount} />
            {takenOn === null ? null : <small>instead of {dayInWords(date)}</small>}
            {forbidden === null ? null : <small>The terms refuse it: {forbidden.detail}</small>}
          </li>
        ))}
      </ol>
    )}
  </section>
);

const Commands = ({ agreement: { actions } }: { agreement: Agreement }) =>
  actions.length === 0 ? null : (
    <section aria-labelledby="commands">
      <h2 id="commands">Latest commands</h2>
      <Table
        label="Latest commands"
        heads={['Command', 'Outcome', 'By', 'Requested']}
        rows={actions.toReversed().map(({ kind, stage, failure, requested_by: by, asked_at: at }) => [
          sentenceOf(kind),
          <>
            {stage === 'asked' ? 'on its way' : words(stage)} <Foreign text={failure?.detail ?? ''} />
          </>,
          by ?? '–',
          <Time at={at} />,
        ])}
      />
    </section>
  );
