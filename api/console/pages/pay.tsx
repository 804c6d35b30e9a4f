// Takes a payment in three steps: the form, the judgement of a dry run, and the request.
import { randomUUID } from 'node:crypto';
import { pathTo } from '../../routes/links.js';
import { FieldOf } from '../actions/pages.js';
import type { Field } from '../actions/action.js';
import type { Agreement, DryRun } from '../answers.js';
import type { Form } from '../form.js';
import { centsIn, dollars, sydneyTime } from '../format.js';
import { showPage } from '../layout.js';
import type { Problem } from '../own-api.js';
import { Facts, Foreign, HiddenFields, ProblemNotice, TokenField } from '../parts.js';
import { formPage, parameter, readPage, type Answer, type Visit } from '../visit.js';
import { sentenceFor } from './agreement-sentence.js';
import { agreementPage } from './agreement.js';
import { paymentPage } from './payment.js';
import { showProblem } from './refusal.js';

const PATH = '/console/agreements/{uid}/payments';

const FIELDS: readonly Field[] = [
  { name: 'amount', label: 'Amount in dollars', hint: 'Such as 42.50', type: 'money', isRequired: true },
  {
    name: 'reference',
    label: 'Reference (optional)',
    hint: 'For example an invoice number',
    type: 'text',
    isRequired: false,
    longest: 35,
  },
  {
    name: 'description',
    label: 'Description (optional)',
    hint: 'The payer reads it.',
    type: 'text',
    isRequired: false,
    longest: 280,
  },
];

interface Attempt {
  form: Form;
  problem?: Problem;
  wrong?: string;
  judgement?: DryRun;
}

export const showPaymentForm = readPage(
  {
    path: PATH,
    operationId: 'showPaymentForm',
    summary: 'Show the form that takes a payment under an agreement',
    description: 'The page of an active agreement links to it.',
  },
  (visit) => showForm(visit, { form: { uid: `pay-${randomUUID()}` } }),
);

export const sendPaymentForm = formPage(
  {
    path: PATH,
    operationId: 'sendPaymentForm',
    summary: 'Check a payment, and then request it',
    description:
      'The form sends this twice: first for the judgement of a dry run, then for the payment. The form has the uid of its payment, so a double click pays once.',
  },
  async (visit, { step = 'check', ...form }) => {
    const path = `${pathTo('agreement', parameter(visit, 'uid'))}/payments`;
    const amount = centsIn(form['amount'] ?? '');
    if (amount === undefined)
      return showForm(visit, { form, wrong: 'Write the amount in dollars, such as 42.50.' });
    const { reference, description, uid } = form;
    const body = { uid, amount, ...(reference && { reference }), ...(description && { description }) };
    if (step !== 'send') {
      const { answer, problem } = await visit.api.send<{ data: DryRun }>(`${path}?dry_run=true`, body);
      return showForm(visit, { form, ...(problem ? { problem } : { judgement: answer.data }) });
    }
    const { problem } = await visit.api.send(path, body);
    visit.dependencies.audit.note(visit.c, {
      ...{ action: 'requestPayment', outcome: problem?.code ?? 'done', target: path },
      details: { from: 'console', payment: uid ?? '' },
    });
    if (problem !== undefined) return showForm(visit, { form, problem });
    return visit.c.redirect(`${paymentPage(uid ?? '')}?done=payment`, 303);
  },
);

async function showForm(visit: Visit, attempt: Attempt): Promise<Response> {
  const uid = parameter(visit, 'uid');
  const { answer, problem } = await visit.api.read<{ data: Agreement }>(pathTo('agreement', uid));
  if (problem !== undefined) return showProblem(visit, problem, 'agreement with this uid');
  return showStep(visit, answer.data, attempt);
}

/** The API refuses another payment under the uid of one that was requested. */
const TAKEN =
  'This form has requested its payment already, with other values. Open the payment, or begin with a new form.';

function showStep(visit: Visit, agreement: Agreement, { form, problem, wrong, judgement }: Attempt): Answer {
  const isTaken = problem?.code === 'idempotency_conflict';
  const content = (
    <>
      <p>
        <a href={agreementPage(agreement.uid)}>Back to the agreement</a>
      </p>
      <p>{sentenceFor(agreement)}</p>
      {problem === undefined ? null : (
        <ProblemNotice problem={problem} advice={isTaken ? TAKEN : undefined} />
      )}
      {isTaken ? (
        <p>
          <a href={paymentPage(form['uid'] ?? '')}>Open the payment</a>
        </p>
      ) : null}
      {wrong === undefined ? null : (
        <p class="notice bad" role="alert">
          {wrong}
        </p>
      )}
      {visit.key.scopes.includes('write') ? null : (
        <p class="notice warn">Your key lacks the scope write, so you cannot take a payment.</p>
      )}
      {judgement?.admissible === true ? (
        <Confirm visit={visit} form={form} />
      ) : (
        <>
          {judgement === undefined ? null : <Refusal judgement={judgement} />}
          <PaymentForm visit={visit} form={form} />
        </>
      )}
    </>
  );
  const isRefused = problem !== undefined || wrong !== undefined || judgement?.admissible === false;
  return showPage(visit.c, {
    title: `Take a payment: agreement ${agreement.uid}`,
    content,
    session: visit,
    status: isRefused ? 422 : 200,
  });
}

const PaymentForm = ({ visit, form }: { visit: Visit; form: Form }) => (
  <form method="post" action={visit.c.req.path} class="stacked">
    <TokenField formToken={visit.formToken} />
    <input type="hidden" name="uid" value={form['uid'] ?? ''} />
    {FIELDS.map((field) => (
      <FieldOf field={field} value={form[field.name]} />
    ))}
    <button>Check the payment</button>
    <p class="hint">This only checks the terms. Nothing is taken yet.</p>
  </form>
);

const Confirm = ({ visit, form }: { visit: Visit; form: Form }) => (
  <>
    <p class="notice good" role="status">
      The agreement allows this payment now.
    </p>
    <Facts
      rows={[
        ['Amount', dollars(centsIn(form['amount'] ?? '') ?? 0)],
        ['Reference', <Foreign text={form['reference']} />],
        ['Description', <Foreign text={form['description']} />],
        ['Its uid', <code>{form['uid']}</code>],
      ]}
    />
    <p>
      The worker sends it to the provider at once. The payer is debited once, also if you press the button
      twice.
    </p>
    <form method="post" action={visit.c.req.path} class="stacked">
      <TokenField formToken={visit.formToken} />
      <HiddenFields form={{ ...form, step: 'send' }} />
      <button>Take {dollars(centsIn(form['amount'] ?? '') ?? 0)}</button>
    </form>
    <p>
      <a href={visit.c.req.path}>Change it</a>
    </p>
  </>
);

function Refusal({ judgement: { refusal } }: { judgement: DryRun }) {
  const from = refusal?.judgement?.passes_from;
  return (
    <div class="notice bad" role="alert">
      <p>
        <b>The agreement does not allow this payment.</b> {refusal?.detail}
      </p>
      {from == null ? null : <p>The same payment may pass from {sydneyTime(from)}.</p>}
    </div>
  );
}
