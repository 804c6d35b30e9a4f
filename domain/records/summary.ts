// One sentence for each entry of a timeline, for a person who does not know the codes. Pure.
import { RESOURCES, type ResourceName } from '../resources.js';
import { factSentence } from './summary-facts.js';
import { at, cents, named, reasonIn, textIn, titled, words } from './summary-texts.js';
import type { Entry } from './batch.js';

/** The parts of an entry that a sentence needs. */
export type Summarised = Pick<Entry, 'kind' | 'name' | 'data' | 'factId'>;

/** Makes a sentence from the entry, without its time. It uses codes, ids and titles, and the words of operators, but no names of payers. */
export function summaryOf(resource: ResourceName, entry: Summarised): string {
  const { kind, name, data, factId } = entry;
  const noun = nounOf(resource);
  // Facts of our own are commands.
  if (kind === 'fact' || factId !== undefined) return factSentence(resource, noun, name, data);
  if (kind === 'state') return stateSentence(noun, name, data);
  if (kind === 'attention') return flagSentence(name, data);
  const table = kind === 'command' ? COMMANDS : DECISIONS;
  const write = table[resource]?.[name] ?? EVERYWHERE[name];
  return write?.(data, noun) ?? `${titled(words(name))} was recorded for ${noun}.`;
}

const nounOf = (resource: ResourceName): string => RESOURCES[resource].what.replace(/^an? /, 'the ');

function stateSentence(noun: string, name: string, data: object): string {
  // The fact before it has the reason.
  const isFirst = textIn(data, 'from') === undefined;
  if (name === 'requested') return `${titled(noun)} was requested.`;
  return isFirst
    ? `${titled(noun)} starts in the state ${words(name)}.`
    : `${titled(noun)} is now ${words(name)}.`;
}

function flagSentence(name: string, data: object): string {
  const flag = `The flag ${name}`;
  if (at(data, 'isRaised') !== true) return `${flag} was lowered.`;
  const [detail, next] = [textIn(data, 'detail'), textIn(data, 'next')];
  return [`${flag} was raised.`, detail, next && `What to do: ${next}`].filter(Boolean).join(' ');
}

type Write = (data: object, noun: string) => string;
type Table = Readonly<Partial<Record<ResourceName, Readonly<Record<string, Write>>>>>;

/** @returns the sentence with the principal and, in quotation marks, the reason that the principal gave. */
const by =
  (done: string): Write =>
  (data, noun) => {
    const reason = textIn(data, 'reason');
    const why = reason === undefined ? '' : `: “${reason}”`;
    return `${textIn(data, 'by') ?? 'A caller'} ${done.replace('{noun}', noun)}${why}.`;
  };

const onConnection = (data: object): string =>
  named(data, 'connectionId', 'of connection ', 'of all connections');

const COMMANDS: Table = {
  payment: { withdrawal: by('withdrew {noun}') },
  stop: {
    stop: (data, noun) => by(`stopped the payments ${onConnection(data)}`)(data, noun),
    resumption: (data, noun) => by(`resumed the payments ${onConnection(data)}`)(data, noun),
  },
  notification: { acknowledged: by('has read {noun}') },
  'float-account': {
    acknowledged: by('acknowledged the break in the balances of {noun}'),
    reading_requested: by('requested that the entries of {noun} are read again'),
  },
  'unmatched-credit': {
    resolution: (data, noun) =>
      by(`decided that {noun} is ${words(textIn(data, 'decision') ?? 'resolved')}`)(data, noun),
  },
  connection: {
    consent_requested: () => 'A consent link for the merchant was made.',
    consent_answered: () => 'The merchant answered the consent link.',
  },
  counterparty: {
    correction: by('corrected {noun}'),
    acceptance: by('accepted the close match of an account'),
    withdrawal: by('gave up {noun}'),
  },
  client: {
    change_due: () => 'A change of the client’s details was requested.',
    change_accepted: () => 'The provider accepted the change of the client’s details.',
    change_refused: (data) =>
      `The provider refused the change of the client’s details${reasonIn(data, 'failure')}.`,
  },
  onboarding: {
    correction: (data, noun) => by(`corrected ${stepIn(data)}`)(data, noun),
    skip: (data, noun) => by(`skipped ${stepIn(data)}`)(data, noun),
    resumption: by('resumed {noun}'),
    abandonment: by('abandoned {noun}'),
  },
  batch: {
    pause: by('paused {noun}'),
    resumption: by('resumed {noun}'),
    abandonment: by('abandoned {noun}'),
  },
};

const stepIn = (data: object): string => `the step ${words(textIn(data, 'step') ?? '')}`;
const step =
  (became: string): Write =>
  (data) =>
    `${titled(stepIn(data))} ${became}.`;
const refund = (data: object): string =>
  `refund ${textIn(data, 'uid') ?? ''}${cents(data, 'amount', ' of ')}`;
const account =
  (found: string): Write =>
  (data) =>
    `An account ${found}${named(data, 'uid', ' (', '')}${textIn(data, 'uid') === undefined ? '' : ')'}.`;

const DECISIONS: Table = {
  agreement: {
    payment_admitted: (data) =>
      `Payment ${textIn(data, 'uid') ?? ''}${cents(data, 'amount', ' of ')} was admitted under the agreement.`,
    terms_changed: (data) => {
      const fields = at(data, 'fields');
      const which = Array.isArray(fields) && fields.length > 0 ? `: ${fields.join(', ')}` : '';
      return `The terms of the agreement changed${which}.`;
    },
    planned_payment_requested: (data) =>
      `The planned payment of ${textIn(data, 'date') ?? 'a date'} was requested${named(data, 'uid', ' as ', '')}.`,
    planned_payment_skipped: (data) =>
      `The planned payment of ${textIn(data, 'date') ?? 'a date'} was left out${reasonIn(data)}.`,
  },
  payment: {
    payment_judged: (data) =>
      `The agreement was ${words(textIn(data, 'state') ?? 'checked')}, and allowed the payment to be sent.`,
    refund_admitted: (data) => `The ${refund(data)} was admitted.`,
    refund_counted: (data) => `The ${refund(data)} is now ${words(textIn(data, 'outcome') ?? 'counted')}.`,
  },
  'float-account': {
    chain_broken: (data) =>
      `The balances do not follow each other: after ${textIn(data, 'beforeId') ?? 'an entry'} the account had${cents(data, 'expected', ' ')}, but ${textIn(data, 'afterId') ?? 'the next entry'} starts at${cents(data, 'found', ' ')}.`,
    chain_mended: () => 'A break in the balances was mended: the provider now lists the missing entries.',
    chain_whole: () => 'The balances follow each other again.',
    entry_gone: (data) => `The provider no longer lists entry ${textIn(data, 'entryId') ?? ''}.`,
  },
  'unmatched-credit': {
    entry_found: (data) =>
      `The float account has the entry of the credit${cents(data, 'amount', ', ')}, so the money has arrived.`,
    joined: (data) =>
      `Unmatched credit ${textIn(data, 'uid') ?? ''} has the entry of this one, so this one has ended.`,
  },
  connection: {
    tokens_stored: () => 'New tokens for the provider were stored.',
    tokens_deleted: () => 'The tokens for the provider were deleted.',
  },
  counterparty: {
    account_unchecked: account('waits for its verification'),
    account_match: account('belongs to the named holder'),
    account_close_match: account('has a holder with a similar name'),
    account_no_match: account('has a holder with another name'),
    account_account_closed: account('is closed'),
    account_account_unusable: account('does not exist, or its bank does not take part'),
    account_resolved: account('was found by its PayID'),
    account_alias_unknown: account('was not found: its PayID is not registered'),
    account_evidence: account('was verified by a third party'),
    account_unconfirmed: account('could not be confirmed by its bank'),
    account_limit: account('waits, because a daily limit of verifications is reached'),
    account_unanswered: account('could not be verified yet: the provider gave no clear answer'),
    account_refused: account('was not verified: the provider refused the verification'),
    account_undecided: account('has a result that this release does not know'),
  },
  onboarding: {
    step_waiting: step('waits for the steps before it'),
    step_under_way: step('has started'),
    step_done: step('is done'),
    step_stopped: step('cannot continue without a decision'),
    step_skipped: step('was skipped'),
    left_behind: (data) =>
      `The ${textIn(data, 'part') ?? 'part'} ${textIn(data, 'uid') ?? ''} is no longer part of the onboarding${named(data, 'state', ', and is ', '')}.`,
  },
};

const ready: Write = (data, noun) => {
  if (at(data, 'isStopped') === true) return `The worker did not send ${noun}, because payments are stopped.`;
  if (at(data, 'notBefore') !== undefined) return `The worker sends ${noun} again after a pause.`;
  return at(data, 'hasWaited') === true
    ? `The worker will send ${noun} again.`
    : `The worker will send ${noun} to the provider.`;
};

/** Of every resource of the provider, and of erased ones. */
const EVERYWHERE: Readonly<Record<string, Write>> = {
  submission_ready: ready,
  submission_sending: (data, noun) => `The worker sends ${noun} to the provider${round(data)}.`,
  submission_sent: (_, noun) =>
    `The provider gave no clear answer, so the worker looks up whether it has ${noun}.`,
  submission_open: (_, noun) => `The worker has nothing more to send for ${noun}.`,
  submission_parked: (_, noun) => `It is unknown whether the provider has ${noun}. An operator must decide.`,
  submission_adopting: (_, noun) => `The worker reads ${noun}, which was found at the provider.`,
  submission_unknown: (_, noun) => `The provider does not have ${noun}.`,
  followed: (_, noun) => `The product follows ${noun} from now on. Before, only events had named it.`,
  erased: by('erased the personal data of {noun}'),
};

function round(data: object): string {
  const count = at(data, 'count');
  return typeof count === 'number' && count > 1 ? ` (submission ${count})` : '';
}
