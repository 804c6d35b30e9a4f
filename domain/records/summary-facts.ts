// The sentences of facts: what the provider published or showed, and what callers requested as facts. Pure.
import { creditIn } from '../float/credit.js';
import { at, cents, named, reasonIn, textIn, titled, words } from './summary-texts.js';
import type { AgreementEventType } from '../agreement/events.js';
import type { LOCAL_FACTS } from '../agreement/local-facts.js';
import type { Fact } from '../facts/fact.js';
import type { ResourceName } from '../resources.js';

/** @param noun of the resource, with its article. @param data the stored fact. */
export function factSentence(resource: ResourceName, noun: string, name: string, data: object): string {
  const write = FACTS[resource]?.[name] ?? COMMON[name];
  const sentence = write?.(data, noun) ?? `The provider published the event ${name} about ${noun}.`;
  return `${sentence}${proofOf(data)}`;
}

/** An event that no signature proves changes nothing until a look-up confirms it. */
const proofOf = (data: object): string =>
  at(data, 'authenticated') === false ? ' Nothing proves this event, so a look-up must confirm it.' : '';

type Write = (data: object, noun: string) => string;

const BY: Readonly<Record<string, string>> = {
  payer: ' by the payer',
  debtor: ' by the payer',
  initiator: ' by the initiator',
  creditor: ' by the initiator',
  provider: ' by the provider',
};

/** Adds who caused it, and the reason. */
const done =
  (text: string): Write =>
  (data, noun) =>
    `${titled(text.replace('{noun}', noun))}${BY[textIn(data, 'causedBy') ?? ''] ?? ''}${reasonIn(data)}.`;
/** Adds the reason. */
const why =
  (text: string): Write =>
  (data, noun) =>
    `${titled(text.replace('{noun}', noun))}${reasonIn(data)}.`;

const detailOf = (data: object): object => {
  const detail = at(data, 'detail');
  return typeof detail === 'object' && detail !== null ? detail : {};
};
const principalOf = (data: object): string => textIn(detailOf(data), 'by') ?? 'A caller';
const actionOf = (data: object): string => words(textIn(detailOf(data), 'action') ?? 'command');

const AGREEMENT: Readonly<Record<AgreementEventType | keyof typeof LOCAL_FACTS, Write>> = {
  activated: () => 'The payer accepted the agreement.',
  declined: done('{noun} was declined'),
  expired: () => 'The payer did not answer in time, so the agreement expired.',
  failed: why('{noun} could not be created'),
  cancelled: done('{noun} was cancelled'),
  suspended: done('{noun} was suspended'),
  reactivated: done('{noun} was reactivated'),
  amended: done('The terms were amended'),
  amendment_declined: () => 'The payer declined the amendment.',
  amendment_expired: () => 'The payer did not answer the amendment in time.',
  amendment_recalled: () => 'The amendment was recalled.',
  amendment_failed: why('The amendment failed'),
  amendment_recall_failed: why('The recall of the amendment failed'),
  cancellation_failed: why('The cancellation failed'),
  suspension_failed: why('The suspension failed'),
  reactivation_failed: why('The reactivation failed'),
  requested: (data) => `${principalOf(data)} requested the command ${actionOf(data)}.`,
  refused: (data) => `The provider refused the command ${actionOf(data)}${reasonIn(data)}.`,
  attention_resolved: (data, noun) => resolved(data, noun),
  planned: (data) => `${principalOf(data)} set the plan of payments.`,
  plan_ended: (data) => `${principalOf(data)} ended the plan of payments.`,
  unanswered: (data) => `The payer has not answered${named(detailOf(data), 'after', ' within ', ' yet')}.`,
  observed: (data, noun) => observed(data, noun),
};

const observed: Write = (data, noun) =>
  `The provider shows ${noun}${named(data, 'state', ' in the state ', '').replaceAll('_', ' ')}${reasonIn(data)}.`;

const resolved: Write = (data) => {
  const detail = detailOf(data);
  const flag = textIn(detail, 'code');
  const decision = named(detail, 'decision', ' with the decision ', '');
  const given = at(data, 'reason');
  const reason = typeof given === 'object' && given !== null ? textIn(given, 'narrative') : undefined;
  return `${principalOf(data)} resolved ${flag === undefined ? 'a flag' : `the flag ${flag}`}${decision}${reason === undefined ? '' : `: “${reason}”`}.`;
};

/** Of several resources. Most are facts of our own about its end. */
const COMMON: Readonly<Record<string, Write>> = {
  pending: () => 'The provider has sent the payment to the bank.',
  under_investigation: (_, noun) => `The provider investigates ${noun}. It may still settle.`,
  settled: (_, noun) => `${titled(noun)} settled: the money was taken from the payer.`,
  processed: () => 'The money of the refund was returned.',
  failed: why('{noun} failed'),
  refused: why('{noun} ended before the provider accepted it'),
  lapsed: (_, noun) => `${titled(noun)} was not sent in time, and will not be sent.`,
  withdrawn: (_, noun) => `${titled(noun)} was withdrawn before it was sent.`,
  retried: (data, noun) => `${principalOf(data)} requested a retry of ${noun}.`,
  unresolved: (_, noun) =>
    `An operator gave up ${noun}. Its outcome is unknown, and the provider may have carried it out.`,
  adopted: (_, noun) => `An operator accepted what the provider has as ${noun}.`,
  observed,
  attention_resolved: resolved,
};

const reported: Write = (data) => {
  const credit = creditIn(data as Fact);
  return `The provider reported money that it could not match${cents({ ...credit }, 'amount', ': ')}.`;
};

const FACTS: Readonly<Partial<Record<ResourceName, Readonly<Record<string, Write>>>>> = {
  agreement: AGREEMENT,
  'unmatched-credit': { 'float_accounts.unmatched_credit.received': reported },
};
