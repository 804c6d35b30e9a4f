// The decisions about an unmatched credit: one form for each, because each has its own effect.
import type { CreditDecisionName } from '../../../domain/float/credit.js';
import type { UnmatchedCredit } from '../answers.js';
import type { Form } from '../form.js';
import { dollars, words } from '../format.js';
import type { Problem } from '../own-api.js';
import { given, type Action, type Field, type Request } from './action.js';

const FINAL =
  'The decision is final. It moves no money, and calls nothing at the provider. Your name and your reason stay in the timeline.';
const REASON: Field = {
  ...{ name: 'reason', label: 'Reason', hint: 'How you found out, such as “call 7”.' },
  ...{ type: 'text', isRequired: true, longest: 256 },
};
const PAYMENT: Field = {
  ...{ name: 'payment_uid', label: 'Payment that it pays', isFromLink: true },
  ...{ hint: 'The uid of the payment. Leave it empty if the credit pays no single payment.' },
  ...{ type: 'text', isRequired: false, longest: 64 },
};
const AGREEMENT: Field = {
  ...{ name: 'agreement_uid', label: 'Or the agreement that it pays', isFromLink: true },
  ...{ hint: 'The uid of the agreement.', type: 'text', isRequired: false, longest: 64 },
};

const isOpen = ({ state }: UnmatchedCredit): boolean => state === 'open';

const decision = (
  name: CreditDecisionName,
  own: Pick<Action<UnmatchedCredit>, 'title' | 'isOffered' | 'effect'> & { fields?: readonly Field[] },
): Action<UnmatchedCredit> => ({
  ...{ name, scope: 'operate', advice: adviceOn, isWithoutApproval: true },
  ...own,
  fields: [...(own.fields ?? []), REASON],
  effect: (credit, form) => [...own.effect(credit, form), FINAL],
  request: (path, form) => requestOf(name, path, form),
  done: 'The case has ended. The page shows who decided, and why.',
});

export const CREDIT_ACTIONS: readonly Action<UnmatchedCredit>[] = [
  decision('matched', {
    title: 'Match',
    isOffered: isOpen,
    fields: [PAYMENT, AGREEMENT],
    effect: (credit, form) => [
      `The case ends: ${amountOf(credit)} pays the payment or the agreement below. The journal books it as matched.`,
      ...comparison(credit, form),
      'The state of the payment itself does not change. If the payer owes nothing more, withdraw or cancel what would debit the payer again.',
    ],
  }),
  decision('returned', {
    title: 'Record the return',
    isOffered: isOpen,
    effect: (credit) => [
      `The case ends: ${amountOf(credit)} was sent back to the payer.`,
      'Return the money at the provider first. This form only records that you did.',
    ],
  }),
  decision('kept', {
    title: 'Keep',
    isOffered: isOpen,
    effect: (credit) => [
      `The case ends: ${amountOf(credit)} is ours, and pays no payment and no agreement of this system.`,
    ],
  }),
  decision('ignored', {
    title: 'Ignore',
    isOffered: ({ state }) => state === 'open' || state === 'unconfirmed',
    effect: (credit) => [
      credit.state === 'unconfirmed'
        ? 'The case ends as a false notification: no entry of the float account confirms the credit.'
        : `The case ends, and nothing is done about ${amountOf(credit)}. The money stays in the float account.`,
    ],
  }),
];

const amountOf = ({ amount }: UnmatchedCredit): string =>
  amount === null ? 'the credit' : `the credit of ${dollars(amount)}`;

/** What is similar about the credit and the candidate in the form. */
function comparison({ amount, candidates }: UnmatchedCredit, form: Form): string[] {
  const uid = form['payment_uid'] || form['agreement_uid'];
  const found = candidates?.find((one) => one.uid === uid);
  if (uid === undefined || uid === '') return [];
  if (found === undefined)
    return [
      `The records propose no ${form['payment_uid'] ? 'payment' : 'agreement'} ${uid}: check it first.`,
    ];
  const differs =
    found.kind === 'payment' && found.amount !== null && amount !== null && found.amount !== amount;
  return [
    `${found.kind === 'payment' ? 'Payment' : 'Agreement'} ${uid}: ${words(found.state)}${found.amount === null ? '' : `, ${dollars(found.amount)}`}. ${similarities(found.reasons)}`,
    ...(differs ? ['The amounts differ, so check that it is the right payment.'] : []),
  ];
}

type Reason = NonNullable<UnmatchedCredit['candidates']>[number]['reasons'][number];
const REASONS: Readonly<Record<Reason, string>> = {
  uid: 'a text of the credit names it',
  reference: 'a text of the credit has its reference',
  payer_account: 'its payer has this account',
  amount: 'the same amount',
  time: 'requested at most three days apart',
};

/** Why a candidate was proposed, as a sentence. */
export const similarities = (reasons: readonly Reason[]): string =>
  `Proposed because of: ${reasons.map((reason) => REASONS[reason]).join('; ')}.`;

function requestOf(name: CreditDecisionName, path: string, form: Form): Request {
  const match = given(form, 'payment_uid', 'agreement_uid');
  if (name === 'matched' && Object.keys(match).length !== 1)
    return { wrong: 'Write the uid of a payment or of an agreement, and not both.' };
  const body = { decision: name, ...(name === 'matched' && match), ...given(form, 'reason') };
  return { path: `${path}/resolution`, body };
}

function adviceOn({ code, detail }: Problem): string | undefined {
  if (code === 'credit_resolved')
    return `Your decision was not stored, because the case has ended already. ${detail} Open the page of the case to see who decided, and why.`;
  if (code === 'credit_unconfirmed')
    return 'Your decision was not stored, because no entry of the float account confirms the credit yet. Wait for the entry, or ignore the case if the notification is false.';
  if (code === 'no_such_match')
    return 'Your decision was not stored: the connection of the credit has no payment or agreement with this uid. Check the uid.';
  return undefined;
}
