// An onboarding: from a client to the first payment, a step after the other. What each step needs, what the state of its resource means
// for it, and what to do where it is stopped. As data, and pure; the resources themselves are followed by workflows of their own.
import type { ClientOrder } from '../client/request.schema.js';
import type { CounterpartyOrder } from '../counterparty/request.schema.js';
import type { AwaitingWhat } from '../attention/awaiting.js';
import type { AccountIdentifier, Mandate, PaymentOrder } from '../agreement/mandate.js';
import type { Payer } from '../agreement/payer.schema.js';
import type { PaymentHandling } from '../payment/handling.js';

/** What an onboarding is made of: each is a resource of its own. */
export const PARTS = ['client', 'counterparty', 'agreement', 'payment'] as const;
export type PartName = (typeof PARTS)[number];

export const ONBOARDING_STEPS = [
  'client',
  'client_service',
  'counterparty',
  'agreement',
  'payer_decision',
  'first_payment',
] as const;
export type OnboardingStep = (typeof ONBOARDING_STEPS)[number];

/** Where a step stands. `stopped`: it has ended otherwise than it should, and a caller has to say how it goes on. */
export const STEP_STATES = ['waiting', 'under_way', 'done', 'stopped', 'skipped'] as const;
export type StepState = (typeof STEP_STATES)[number];

/** What callers can say of an onboarding. */
export const COMMAND_KINDS = ['correction', 'skip', 'resumption', 'abandonment'] as const;
export type CommandKind = (typeof COMMAND_KINDS)[number];

/** Who has to do something before a step can go on. */
export const ACTORS = ['provider', 'payer', 'caller', 'operator', 'merchant', 'none'] as const;
export type Actor = (typeof ACTORS)[number];

/** Each part with the uid of its resource, which is known before anything begins: a repeat finds what the first call made. */
export interface Parts {
  /** Without an order it is one that is there already. */
  client?: { uid: string; order?: ClientOrder | undefined; above?: string[] | undefined } | undefined;
  counterparty?:
    | { uid: string; order: CounterpartyOrder; payer?: Payer | undefined; isRequired?: true | undefined }
    | undefined;
  agreement: { uid: string; mandate: Mandate; payer?: Payer | undefined };
  payment?:
    | { uid: string; order: Omit<PaymentOrder, 'agreement_uid'>; handling?: PaymentHandling | undefined }
    | undefined;
}

/** Why a part is not as it should be. */
export interface StepFailure {
  code?: string | undefined;
  title?: string | undefined;
  next?: string | undefined;
}

type Identified = { account_identifier: AccountIdentifier };
/** A payment account of a counterparty. */
type Account = Identified & { uid: string };

/** As much of a part's resource as an onboarding reads. */
export interface Reading {
  /** Its own state; or `other`, its uid is that of another one; `missing`, it should be there; `refused`, it was not admitted; `other_account`, its debtor is none of the counterparty's accounts; `unread`, the call that reads it failed for good. */
  state: string;
  waits?: AwaitingWhat | undefined;
  failure?: StepFailure | undefined;
  /** Of a client: the provider's own id. */
  clientId?: string | undefined;
  /** Of a counterparty: its accounts as they are now, corrections included, with the uids that the provider knows them by. */
  accounts?: readonly Account[] | undefined;
  /** Of a payment: whether it was sent to the provider. */
  isSent?: boolean | undefined;
}

interface StepRow {
  part: PartName;
  title: string;
  /** What is awaited while it is under way. */
  awaiting: AwaitingWhat;
  actor: Actor;
  /** What happens next while it is under way. */
  next: string;
  done: readonly string[];
  /** What each state means in which it does not go on by itself, and what to do. */
  stops: Readonly<Record<string, string>>;
}

/** Of every part. `{path}` is where the resource is, `{id}` the onboarding. */
const ANY_STOPS = {
  other: 'Something else was asked for under its uid before. Correct this step, with another uid or none.',
  missing: 'Nothing is known here under its uid. Correct this step.',
  unread:
    'It could not be read how it stands; the history of the onboarding’s workflow has the call that failed. Once that is mended, POST /v1/onboardings/{id}/resumption.',
} as const;

const RESUME = 'then POST /v1/onboardings/{id}/resumption';
const CORRECT = 'POST /v1/onboardings/{id}/correction';

export const STEPS: Readonly<Record<OnboardingStep, StepRow>> = {
  client: {
    part: 'client',
    title: 'the client is registered',
    awaiting: 'provider-acceptance',
    actor: 'provider',
    next: 'the provider is asked whether it has the business, and registers it where it has not.',
    done: ['not_configured', 'pending', 'active', 'suspended', 'off_boarded'],
    stops: {
      failed: `The provider would not register it. ${CORRECT} with a client that it takes, or abandon the onboarding.`,
      unresolved: `It is not known whether the provider has it. Look there, ${CORRECT} with the client: one that is there is adopted.`,
    },
  },
  client_service: {
    part: 'client',
    title: 'its PayTo service is active',
    awaiting: 'service',
    actor: 'provider',
    next: 'the provider examines the client; no event says when it has decided, so it is asked for.',
    done: ['active'],
    stops: {
      not_configured: `The client has no PayTo service, and every agreement of it would be refused (ZCLT05). The provider’s API adds none to a client that exists: ask the provider to configure it. Once it has, POST {path}/look-up, ${RESUME}.`,
      suspended: `The provider has suspended the client. Once the provider has lifted that, POST {path}/look-up, ${RESUME}.`,
      off_boarded: `The provider has off-boarded the client. ${CORRECT} with another client, or abandon the onboarding.`,
    },
  },
  counterparty: {
    part: 'counterparty',
    title: 'the counterparty is verified and registered',
    awaiting: 'verification',
    actor: 'provider',
    next: 'its accounts are verified as was asked for, and it is registered.',
    done: ['registered'],
    stops: {
      unverified: `Not every account could be verified; GET {path} says why and what to do. Nothing was sent. Mend it there, ${RESUME}; or ${CORRECT}; or skip it where no verification is required.`,
      failed: `It was not registered. ${CORRECT} with a counterparty that the provider takes, or skip it where no verification is required.`,
      unresolved: `It is not known whether the provider has it. Look there; ${CORRECT}, or skip it where no verification is required.`,
    },
  },
  agreement: {
    part: 'agreement',
    title: 'the provider has the agreement',
    awaiting: 'provider-acceptance',
    actor: 'provider',
    next: 'the provider takes the agreement, and asks the payer.',
    done: ['created', 'active', 'suspended', 'declined', 'expired', 'cancelled'],
    stops: {
      failed: `The provider would not take it. ${CORRECT} with an agreement that it takes, or abandon the onboarding.`,
      unknown: `The provider does not know it. ${CORRECT} with the agreement, or abandon the onboarding.`,
      other_account: `The counterparty has no account that the agreement names as its debtor’s, so nothing was sent. ${CORRECT} with an agreement whose debtor is one of its accounts.`,
    },
  },
  payer_decision: {
    part: 'agreement',
    title: 'the payer has accepted',
    awaiting: 'payer-decision',
    actor: 'payer',
    next: 'the payer accepts or declines in their bank’s app, within five days.',
    done: ['active'],
    stops: {
      declined: `The payer declined. Ask them why; ${CORRECT} with an agreement as they would have it, or abandon the onboarding.`,
      expired: `The payer did not answer in time. Speak to them; ${CORRECT} with the agreement asks them anew.`,
      cancelled: `The agreement was cancelled. ${CORRECT} with the agreement asks the payer anew, or abandon the onboarding.`,
      suspended: `The agreement is suspended. Once it is active again, POST /v1/onboardings/{id}/resumption.`,
      failed: `The provider has ended it. ${CORRECT} with the agreement, or abandon the onboarding.`,
    },
  },
  first_payment: {
    part: 'payment',
    title: 'the first payment is settled',
    awaiting: 'settlement',
    actor: 'provider',
    next: 'the payment is judged by the agreement’s terms, sent once, and followed until it has settled or failed.',
    done: ['settled'],
    stops: {
      other: `Under its uid there is a payment that differs from this one. GET {path}: where it is for the same intent, abandon the onboarding, the agreement goes on; only where it is for another one, ${CORRECT} with another uid.`,
      refused: `The agreement did not admit it, and nothing was sent. ${CORRECT} with a payment that its terms allow; where the same one may pass later, POST /v1/onboardings/{id}/resumption then.`,
      failed: `It failed. Where it may be tried again, POST {path}/retry, ${RESUME}; otherwise abandon the onboarding: the agreement goes on.`,
      lapsed: `It was not sent in its time. ${CORRECT} with the payment asks for it anew.`,
      withdrawn: `It was withdrawn. ${CORRECT} with another payment, or abandon the onboarding: the agreement goes on.`,
      unresolved: `It is not known whether the provider has it. Look there before anything else is taken, and abandon the onboarding: the agreement goes on.`,
      unknown: `The provider does not know it. Look there before anything else is taken.`,
    },
  },
};

/** What a reading means for a step. What is tried again by itself goes on. */
export function meaningOf(step: OnboardingStep, reading: Reading | undefined): 'going' | 'done' | 'stopped' {
  if (reading === undefined || reading.waits === 'retry') return 'going';
  const { done, stops } = STEPS[step];
  if (Object.hasOwn(stops, reading.state) || Object.hasOwn(ANY_STOPS, reading.state)) return 'stopped';
  return done.includes(reading.state) ? 'done' : 'going';
}

const PATHS: Readonly<Record<PartName, string>> = {
  client: 'clients',
  counterparty: 'counterparties',
  agreement: 'agreements',
  payment: 'payments',
};

/** Where a part's resource is. */
export const pathOf = (part: PartName, uid: string): string => `/v1/${PATHS[part]}/${uid}`;

/** What a stopped step's state means, and what to do. */
export function stopInWords(
  step: OnboardingStep,
  { state, failure }: Reading,
  of: { id: string; uid: string },
): { detail: string; next: string } {
  const { part, stops } = STEPS[step];
  const any: Readonly<Record<string, string>> = ANY_STOPS;
  const [detail = '', ...next] = (stops[state] ?? any[state] ?? '').split(/(?<=\.) /);
  const why = [failure?.code, failure?.title].filter((word) => word !== undefined).join(': ');
  const filled = (words: string): string =>
    words.replaceAll('{path}', pathOf(part, of.uid)).replaceAll('{id}', of.id);
  return {
    detail: filled(why === '' ? detail : `${detail} (${why.replace(/\.$/, '')})`),
    next: filled([failure?.next, ...next].filter((word) => word !== undefined && word !== '').join(' ')),
  };
}

/** Only a person can go on with it. */
const PERSONS: Readonly<Partial<Record<AwaitingWhat, Actor>>> = {
  operator: 'operator',
  reauthorisation: 'merchant',
  consent: 'merchant',
  stop: 'operator',
};

/** The person that a resource waits for, where that is not the payer. */
export const personIn = ({ waits }: Pick<Reading, 'waits'>): Actor | undefined =>
  waits === undefined ? undefined : PERSONS[waits];

/** One word for all that is news of a resource: what has the same word is not reported, and not returned, again. */
export const wordOf = (reading: Pick<Reading, 'state' | 'waits'>): string =>
  [
    reading.state,
    ...(personIn(reading) === undefined && reading.waits !== 'retry' ? [] : [reading.waits]),
  ].join(' ');

/** Whether nothing more is to be awaited of the step's part: it has passed all its steps from there on, or is stopped at one. */
export function isDecided(step: OnboardingStep, reading: Reading): boolean {
  const { part } = STEPS[step];
  const left = ONBOARDING_STEPS.slice(ONBOARDING_STEPS.indexOf(step)).filter(
    (one) => STEPS[one].part === part,
  );
  const first = left.map((one) => meaningOf(one, reading)).find((meaning) => meaning !== 'done');
  return first !== 'going';
}

/** So often it is read before a step that was passed is worth a report of its own: the next one may follow at once. */
const PATIENCE = 3;

/** Whether a workflow that has read `wordRead` is to have it. @param attempt counts from 1. */
export function isNews(
  step: OnboardingStep,
  reading: Reading,
  { wordRead, attempt }: { wordRead?: string | undefined; attempt: number },
): boolean {
  if (isDecided(step, reading)) return true;
  if (wordOf(reading) === wordRead) return false;
  const isPersonal = personIn(reading) !== undefined || wordRead?.includes(' ') === true;
  return isPersonal || (meaningOf(step, reading) === 'done' && attempt >= PATIENCE);
}

/** The steps of these parts, in their order. */
export const stepsOf = (parts: Partial<Record<PartName, unknown>>): OnboardingStep[] =>
  ONBOARDING_STEPS.filter((step) => parts[STEPS[step].part] !== undefined);

/** The account of a counterparty that an agreement's debtor names. */
const accountOf = <One extends Identified>(
  accounts: readonly One[],
  named: AccountIdentifier | null | undefined,
): One | undefined =>
  accounts.find(({ account_identifier: one }) => one.type === named?.type && one.value === named.value);

/**
 * Whether an agreement would be made with an account that was not verified: its debtor is none of those of the counterparty. One that names the
 * uid of an account says by itself which it is.
 */
export function isOtherAccount(
  { debtor }: Pick<Mandate, 'debtor'>,
  accounts: readonly Identified[] | undefined,
): boolean {
  const { account_identifier: named, payment_account_uid: uid } = debtor ?? {};
  if (accounts === undefined || named == null || uid != null) return false;
  return accountOf(accounts, named) === undefined;
}

/** What the agreement is asked to be once the parts before it are there. @param accounts of the counterparty; none where it was skipped. */
export function mandateOf(
  { mandate }: Pick<Parts['agreement'], 'mandate'>,
  { clientId, accounts = [] }: { clientId?: string | undefined; accounts?: readonly Account[] | undefined },
): Mandate {
  const { initiator, debtor } = mandate;
  const account = accountOf(accounts, debtor?.account_identifier)?.uid;
  return {
    ...mandate,
    ...(clientId !== undefined && { initiator: { ...initiator, client_id: clientId } }),
    ...(account !== undefined && { debtor: { ...debtor, payment_account_uid: account } }),
  };
}
