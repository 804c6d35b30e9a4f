// The commands of an agreement.
import { CANCELLATION_REASONS, SUSPENSION_REASONS } from '../../../domain/provider/lists.js';
import type { Agreement } from '../answers.js';
import { centsIn } from '../format.js';
import type { Form } from '../form.js';
import { given, type Action, type Field, type Request } from './action.js';

const narrative: Field = {
  name: 'narrative',
  label: 'Explanation (optional)',
  hint: 'The payer may read it. Up to 256 characters.',
  type: 'text',
  isRequired: false,
  longest: 256,
};
const reasonFrom = (options: readonly string[]) =>
  ({ name: 'reason', label: 'Reason', type: 'choice', options }) as const;

export const AGREEMENT_ACTIONS: readonly Action<Agreement>[] = [
  {
    ...{ name: 'suspension', title: 'Suspend', scope: 'write', operationId: 'suspendAgreement' },
    isOffered: ({ state }) => state === 'active',
    effect: ({ payments }) => [
      'The provider suspends the agreement. New payments, also planned ones, are refused until it is reactivated.',
      `Payments that the provider has already continue. ${payments.count === 0 ? 'No payment was requested yet.' : ''}`.trim(),
      'The payer’s consent stays, so you can reactivate it later.',
    ],
    fields: [reasonFrom(SUSPENSION_REASONS), narrative],
    request: (path, form) => ({ path: `${path}/suspension`, body: given(form, 'reason', 'narrative') }),
    done: 'The suspension was accepted. The page shows its outcome below, usually within seconds.',
  },
  {
    ...{ name: 'reactivation', title: 'Reactivate', scope: 'write', operationId: 'reactivateAgreement' },
    isOffered: ({ state }) => state === 'suspended',
    effect: ({ state_caused_by: by }) => [
      'The provider makes the agreement active, and payments are allowed again.',
      ...(by === 'debtor'
        ? [
            'The payer suspended it, so the API refuses this: only the payer can reactivate it, in the app of their bank.',
          ]
        : []),
    ],
    fields: [],
    request: (path) => ({ path: `${path}/reactivation`, body: {} }),
    done: 'The reactivation was accepted. The page shows its outcome below, usually within seconds.',
  },
  {
    ...{ name: 'amendment', title: 'Amend', scope: 'write', operationId: 'amendAgreement' },
    isOffered: (agreement) => isInForce(agreement) && !isBeingAmended(agreement),
    effect: ({ payment_terms: terms }) => [
      'The payer is asked in the app of their bank, and has five days to answer. Until they accept, the old terms apply.',
      `The payment terms are of the type ${terms?.type ?? 'unknown'}: ${terms?.type === 'fixed' ? 'change the amount' : 'change the maximum amount'}. Fields that you leave empty stay as they are.`,
    ],
    fields: [
      { name: 'amount', label: 'Amount of each payment in dollars', type: 'money', isRequired: false },
      { name: 'max_amount', label: 'Maximum amount in dollars', type: 'money', isRequired: false },
      { name: 'validity_end_date', label: 'Last day of the agreement', type: 'date', isRequired: false },
      { name: 'description', label: 'Description', type: 'text', isRequired: false, longest: 140 },
    ],
    request: amendmentRequest,
    done: 'The amendment was accepted by this system. The page shows when the payer has decided.',
  },
  {
    ...{ name: 'recall', title: 'Recall the amendment', scope: 'write', operationId: 'recallAmendment' },
    isOffered: (agreement) => isBeingAmended(agreement),
    effect: () => [
      'The provider takes back the amendment, and the payer is no longer asked. The old terms stay.',
    ],
    fields: [],
    request: (path) => ({ path: `${path}/amendment/recall`, body: {} }),
    done: 'The recall was accepted. The page shows its outcome below, usually within seconds.',
  },
  {
    ...{ name: 'cancellation', title: 'Cancel', scope: 'write', operationId: 'cancelAgreement' },
    isOffered: ({ state }) => ['pending', 'created', 'active', 'suspended'].includes(state),
    effect: () => [
      'The provider ends the agreement and its plan. You cannot undo this: to take money later, the payer must accept another agreement.',
      'Payments that the provider has already continue.',
    ],
    fields: [reasonFrom(CANCELLATION_REASONS), narrative],
    request: (path, form) => ({ path: `${path}/cancellation`, body: given(form, 'reason', 'narrative') }),
    done: 'The cancellation was accepted. The page shows its outcome below, usually within seconds.',
  },
  {
    ...{ name: 'look-up', title: 'Look up', scope: 'write', operationId: 'lookUpAgreement' },
    isOffered: () => true,
    effect: () => [
      'The worker reads the agreement from the provider now. It changes nothing there, and the timeline shows the result.',
    ],
    fields: [],
    request: (path) => ({ path: `${path}/look-up`, body: {} }),
    done: 'The look-up has started. Reload the page in a few seconds: the timeline shows its result.',
  },
];

const isInForce = ({ state }: Agreement): boolean => state === 'active' || state === 'suspended';

function isBeingAmended({ actions }: Agreement): boolean {
  return actions.some(({ kind, ended_at: ended }) => kind === 'amendment' && ended === null);
}

/** Only the fields that the person filled in. */
function amendmentRequest(path: string, form: Form): Request {
  const {
    amount,
    max_amount: most,
    ...rest
  } = given(form, ...['amount', 'max_amount', 'validity_end_date', 'description']);
  const typed = Object.entries({ amount, max_amount: most }).flatMap(([name, text]) =>
    text === undefined ? [] : [[name, centsIn(text)] as const],
  );
  if (typed.some(([, cents]) => cents === undefined))
    return { wrong: 'Write amounts in dollars, such as 42.50.' };
  const changes = {
    ...rest,
    ...(typed.length > 0 && { payment_terms: Object.fromEntries(typed) }),
  };
  if (Object.keys(changes).length === 0) return { wrong: 'Fill in at least one field.' };
  return { path: `${path}/amendment`, body: { changes } };
}
