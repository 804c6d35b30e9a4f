// The commands of an agreement.
import { CANCELLATION_REASONS, SUSPENSION_REASONS } from '../../../domain/provider/lists.js';
import type { Agreement } from '../answers.js';
import { given, type Action, type Field } from './action.js';

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
