// Stopping and resuming payments.
import type { StopsInForce } from '../answers.js';
import { counted } from '../format.js';
import { given, type Action, type Field } from './action.js';

const CONNECTION: Field = {
  ...{ name: 'connection', label: 'Connection (optional)', type: 'text', isRequired: false, longest: 64 },
  isFromLink: true,
};
const REASON: Field = { name: 'reason', label: 'Reason', type: 'text', isRequired: true, longest: 256 };

const waitingNow = ({ waiting }: StopsInForce): string =>
  waiting === null
    ? 'How many payments wait is not known, because the records are away.'
    : `Now ${counted(waiting.payments, 'payment')} and ${counted(waiting.refunds, 'refund')} wait because of stops.`;

export const STOP_ACTIONS: readonly Action<StopsInForce>[] = [
  {
    ...{ name: 'stop', title: 'Stop payments', scope: 'stop' },
    isOffered: () => true,
    effect: (stops) => [
      'Workers stop sending payments and refunds within five seconds. This undoes nothing: payments at the provider are followed to their end.',
      'A stopped payment waits, and lapses at the time by which it must be sent. A refund waits without limit. Agreements are not stopped.',
      'Without a connection, the payments of all connections stop.',
      waitingNow(stops),
    ],
    fields: [{ ...CONNECTION, hint: 'Leave it empty to stop the payments of all connections.' }, REASON],
    request: (path, form) => ({ path, body: given(form, 'connection', 'reason') }),
    done: 'Payments are stopped. The stop is in force until it is ended below.',
  },
  {
    ...{ name: 'resumption', title: 'Resume payments', scope: 'stop', takesApproval: true },
    isOffered: ({ stops }) => stops.length > 0,
    effect: (stops) => [
      'The stops end that you or the named person have made for this connection. Without a connection, only those for all connections end.',
      'Once no stop applies to a connection, each waiting payment checks its agreement again and is sent within about a minute.',
      waitingNow(stops),
      'Only the person who stopped can resume, or with dual control two people together.',
    ],
    fields: [
      { ...CONNECTION, hint: 'Leave it empty to end the stops of all connections.' },
      {
        ...{ name: 'stopped_by', label: 'Stopped by (optional)', type: 'text', isRequired: false },
        ...{ longest: 256, isFromLink: true, hint: 'The principal whose stops end. Empty: yours.' },
      },
      REASON,
    ],
    request: (path, form) => ({
      path: `${path}/resumption`,
      body: given(form, 'connection', 'stopped_by', 'reason'),
    }),
    done: 'Your stops were ended. A stop that is still in force is in the list below.',
  },
];
