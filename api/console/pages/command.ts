// The pages of the commands of resources, and of their flags.
import type { Attention } from '../../../domain/attention/flags.js';
import type { Action } from '../actions/action.js';
import { AGREEMENT_ACTIONS } from '../actions/of-agreement.js';
import { NEW_CONNECTION, connectionActions } from '../actions/of-connection.js';
import { CREDIT_ACTIONS } from '../actions/of-credit.js';
import { resolutionOf } from '../actions/of-flag.js';
import { FLOAT_ACCOUNT_ACTIONS } from '../actions/of-float-account.js';
import { PAYMENT_ACTIONS } from '../actions/of-payment.js';
import type { Agreement, Connection, FloatAccount, Payment, UnmatchedCredit } from '../answers.js';
import { PAGES } from '../places.js';
import { words } from '../format.js';
import { parameter } from '../visit.js';
import { actionPages, subjectOf, type Commanded } from './command-forms.js';

/** `unmatched-credit` as `UnmatchedCredit`, for the names of operations. */
const inName = (noun: Commanded): string =>
  noun.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** @param actions of the resource. */
function commandPages<Resource>(
  noun: Commanded,
  actions: (resource: Resource) => readonly Action<Resource>[],
) {
  const id = noun === 'connection' ? 'id' : 'uid';
  return actionPages<Resource>({
    path: `${PAGES[noun]}/{${id}}/commands/{command}`,
    operation: `${inName(noun)}Command`,
    noun: `${words(noun)} with this ${id}`,
    subject: subjectOf(noun, id),
    action: (visit, resource) => actions(resource).find(({ name }) => name === parameter(visit, 'command')),
  });
}

interface Flagged {
  attention: readonly Attention[];
}

const flagPages = (noun: 'agreement' | 'payment') =>
  actionPages<Flagged>({
    path: `${PAGES[noun]}/{uid}/flags/{code}`,
    operation: `${inName(noun)}Flag`,
    noun: `${noun} with this uid`,
    subject: subjectOf(noun, 'uid'),
    action: (visit) => resolutionOf(parameter(visit, 'code')),
  });

const newConnection = actionPages<unknown>({
  path: '/console/new-connection',
  operation: 'NewConnection',
  noun: 'connection',
  subject: () =>
    Promise.resolve({
      answer: {
        ...{ resource: undefined, name: 'connections' },
        ...{ page: PAGES.connection, path: '/v1/connections' },
      },
    }),
  action: () => NEW_CONNECTION,
});

export const commandEndpoints = [
  ...commandPages<Agreement>('agreement', () => AGREEMENT_ACTIONS),
  ...commandPages<Payment>('payment', () => PAYMENT_ACTIONS),
  ...commandPages<UnmatchedCredit>('unmatched-credit', () => CREDIT_ACTIONS),
  ...commandPages<FloatAccount>('float-account', () => FLOAT_ACCOUNT_ACTIONS),
  ...commandPages<Connection>('connection', connectionActions),
  ...newConnection,
  ...flagPages('agreement'),
  ...flagPages('payment'),
];
