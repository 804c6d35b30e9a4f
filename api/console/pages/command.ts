// The pages of commands and of flags, for agreements and payments.
import { pathTo } from '../../routes/links.js';
import type { Attention } from '../../../domain/attention/flags.js';
import type { Action } from '../actions/action.js';
import { AGREEMENT_ACTIONS } from '../actions/of-agreement.js';
import { CREDIT_ACTIONS } from '../actions/of-credit.js';
import { resolutionOf } from '../actions/of-flag.js';
import { FLOAT_ACCOUNT_ACTIONS } from '../actions/of-float-account.js';
import { PAYMENT_ACTIONS } from '../actions/of-payment.js';
import { act, linkedForm, showAction, type Subject } from '../actions/pages.js';
import type { Agreement, FloatAccount, Payment, UnmatchedCredit } from '../answers.js';
import { PAGES, pageOf, type Paged } from '../places.js';
import type { Form } from '../form.js';
import { words } from '../format.js';
import { formPage, parameter, readPage, type Answer, type Visit } from '../visit.js';
import { showProblem } from './refusal.js';

/** Reads the resource of the path. Its endpoint checks the key. */
async function withSubject<Resource>(
  visit: Visit,
  noun: Paged,
  show: (subject: Subject<Resource>) => Answer,
): Promise<Response> {
  const uid = parameter(visit, 'uid');
  const path = pathTo(noun, uid);
  const { answer, problem } = await visit.api.read<{ data: Resource }>(path);
  if (problem !== undefined) return showProblem(visit, problem, `${words(noun)} with this uid`);
  return show({ resource: answer.data, name: `${words(noun)} ${uid}`, page: pageOf(noun, uid), path });
}

const NO_COMMAND = {
  status: 404,
  code: 'not_found',
  title: 'Not found',
  detail: 'There is no such command.',
} as const;

/** `unmatched-credit` as `UnmatchedCredit`, for the names of operations. */
const inName = (noun: Paged): string =>
  noun.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());

function commandPages<Resource>(noun: Paged, actions: readonly Action<Resource>[]) {
  const path = `${PAGES[noun]}/{uid}/commands/{command}`;
  const Noun = inName(noun);
  const withAction = (
    visit: Visit,
    show: (action: Action<Resource>, subject: Subject<Resource>) => Answer,
  ) => {
    const action = actions.find(({ name }) => name === parameter(visit, 'command'));
    if (action === undefined) return showProblem(visit, NO_COMMAND, 'command with this name');
    return withSubject<Resource>(visit, noun, (subject) => show(action, subject));
  };
  return [
    readPage(
      {
        ...{ path, operationId: `show${Noun}Command` },
        summary: `Show what a command to the ${words(noun)} does, and its form`,
        description: `The page of the ${words(noun)} links to it.`,
      },
      (visit) =>
        withAction(visit, (action, subject) =>
          showAction(visit, action, subject, { form: linkedForm(visit, action) }),
        ),
    ),
    formPage(
      {
        ...{ path, operationId: `send${Noun}Command` },
        summary: `Send a command to the ${words(noun)}`,
        description:
          'The form of the command sends this. It does what the endpoint of the API does, with the rights of the session.',
      },
      (visit, form) => withAction(visit, (action, subject) => act(visit, action, subject, form)),
    ),
  ];
}

interface Flagged {
  attention: readonly Attention[];
}

function flagPages(noun: 'agreement' | 'payment') {
  const path = `${PAGES[noun]}/{uid}/flags/{code}`;
  const Noun = inName(noun);
  const withFlag = (visit: Visit, show: (action: Action<Flagged>, subject: Subject<Flagged>) => Answer) =>
    withSubject<Flagged>(visit, noun, (subject) => show(resolutionOf(parameter(visit, 'code')), subject));
  return [
    readPage(
      {
        ...{ path, operationId: `show${Noun}Flag` },
        summary: `Show a flag of the ${noun}, and the form that resolves it`,
        description: `The page of the ${noun} links to it.`,
      },
      (visit) => withFlag(visit, (action, subject) => showAction(visit, action, subject)),
    ),
    formPage(
      {
        ...{ path, operationId: `send${Noun}Resolution` },
        summary: `Resolve a flag of the ${noun}`,
        description:
          'The form of the flag sends this. With dual control, a second person must approve what a parked submission needs.',
      },
      (visit, form: Form) => withFlag(visit, (action, subject) => act(visit, action, subject, form)),
    ),
  ];
}

export const commandEndpoints = [
  ...commandPages<Agreement>('agreement', AGREEMENT_ACTIONS),
  ...commandPages<Payment>('payment', PAYMENT_ACTIONS),
  ...commandPages<UnmatchedCredit>('unmatched-credit', CREDIT_ACTIONS),
  ...commandPages<FloatAccount>('float-account', FLOAT_ACCOUNT_ACTIONS),
  ...flagPages('agreement'),
  ...flagPages('payment'),
];
