// The steps of an onboarding, from the payer's account to the first payment: what each waits for, what the states of its resource mean,
// and what to do if it stops. Pure data. Each resource has its own workflow.
import type { ClientOrder } from '../client/request.schema.js';
import type { CounterpartyOrder } from '../counterparty/request.schema.js';
import { personIn, type Actor, type Reading } from './reading.js';
import type { AwaitingWhat } from '../attention/awaiting.js';
import type { Mandate, PaymentOrder } from '../agreement/mandate.js';
import type { Payer } from '../agreement/payer.schema.js';
import type { PaymentHandling } from '../payment/handling.js';

/** The parts of an onboarding. Each is a resource. */
export const PARTS = ['counterparty', 'client', 'agreement', 'payment'] as const;
export type PartName = (typeof PARTS)[number];

/** The payer's account is verified first: if the onboarding stops there, nothing must be undone. */
export const ONBOARDING_STEPS = [
  'counterparty',
  'client',
  'agreement',
  'payer_decision',
  'first_payment',
] as const;
export type OnboardingStep = (typeof ONBOARDING_STEPS)[number];

/** `stopped`: only a caller can change the state of its resource. */
export const STEP_STATES = ['waiting', 'under_way', 'done', 'stopped', 'skipped'] as const;
export type StepState = (typeof STEP_STATES)[number];

/** The commands of callers. */
export const COMMAND_KINDS = ['correction', 'skip', 'resumption', 'abandonment'] as const;
export type CommandKind = (typeof COMMAND_KINDS)[number];

/** A client that is followed here. Without an order it already exists. */
export interface FollowedClient {
  uid: string;
  order?: ClientOrder | undefined;
  above?: string[] | undefined;
  /** Another onboarding, or the API, registers the same business under this uid. */
  isShared?: true | undefined;
}

/** Each part with the uid of its resource. Uids are derived before anything starts, so a repeat finds the same resources. */
export interface Parts {
  /** `clientId`: a client that is not followed here, by the provider's id. A correction of another part does not change it. */
  client?: FollowedClient | { clientId: string } | undefined;
  counterparty?:
    | { uid: string; order: CounterpartyOrder; payer?: Payer | undefined; isRequired?: true | undefined }
    | undefined;
  agreement: { uid: string; mandate: Mandate; payer?: Payer | undefined };
  payment?:
    | { uid: string; order: Omit<PaymentOrder, 'agreement_uid'>; handling?: PaymentHandling | undefined }
    | undefined;
}

interface StepRow {
  part: PartName;
  title: string;
  /** The wait while the step is in progress. */
  awaiting: AwaitingWhat;
  actor: Actor;
  /** What happens next while the step is in progress. */
  next: string;
  done: readonly string[];
  /** Each state in which the step cannot continue, with its meaning and what to do. The first sentence is the meaning. */
  stops: Readonly<Record<string, string>>;
}

/** Stops of every part. `{path}` is the path of the resource, `{id}` the id of the onboarding. */
export const ANY_STOPS = {
  other:
    'Its uid belongs to a different resource. POST /v1/onboardings/{id}/correction with another uid, or without a uid.',
  missing: 'No resource has its uid. POST /v1/onboardings/{id}/correction with this part.',
  unread:
    'We could not read it. The history of the onboarding’s workflow shows the failed call. Once the cause is fixed, POST /v1/onboardings/{id}/resumption.',
} as const;

const RESUME = 'POST /v1/onboardings/{id}/resumption';
/** The resource reports the change itself. */
const CONTINUES = 'the onboarding then continues';
const CORRECT = 'POST /v1/onboardings/{id}/correction';

export const STEPS: Readonly<Record<OnboardingStep, StepRow>> = {
  counterparty: {
    part: 'counterparty',
    title: 'the counterparty is verified and registered',
    awaiting: 'verification',
    actor: 'provider',
    next: 'We verify its accounts as requested, then register it.',
    done: ['registered'],
    stops: {
      unverified: `Not every account could be verified, and nothing was sent. GET {path} shows why. POST {path}/correction: ${CONTINUES}. Or skip the step if no verification is required.`,
      refused: `The provider refused it. POST {path}/correction: ${CONTINUES}. Or skip the step if no verification is required.`,
      failed: `It was given up before it was registered. ${CORRECT} with a counterparty, or skip the step if no verification is required.`,
      unresolved: `It is unknown whether the provider has it. Ask the provider. Then ${CORRECT} with a counterparty, or skip the step if no verification is required.`,
    },
  },
  client: {
    part: 'client',
    title: 'the client may initiate agreements',
    awaiting: 'service',
    actor: 'provider',
    next: 'The provider registers the business, unless it has this client already, and decides on its PayTo service. No event reports that decision, so we poll.',
    done: ['active'],
    stops: {
      failed: `The provider refused to register the client. ${CORRECT} with a client that it accepts, or abandon the onboarding.`,
      unresolved: `It is unknown whether the provider has the client. Ask the provider, then ${CORRECT} with the client. If the provider has it, we adopt it.`,
      other: `Its uid belongs to a different client, or the client of the same business has another legal name or parent. Compare GET {path}. If this request is wrong, ${CORRECT} with the client. If that client is wrong, PATCH {path}, then ${RESUME}.`,
      not_configured: `The client has no PayTo service, so the provider would refuse its agreements (ZCLT05). The API cannot add a service: ask the provider to configure it. Then POST {path}/look-up: ${CONTINUES}.`,
      suspended: `The provider has suspended the client. Once the provider has ended the suspension, POST {path}/look-up: ${CONTINUES}.`,
      off_boarded: `The provider has off-boarded the client. ${CORRECT} with another client, or abandon the onboarding.`,
    },
  },
  agreement: {
    part: 'agreement',
    title: 'the provider has the agreement',
    awaiting: 'provider-acceptance',
    actor: 'provider',
    next: 'The provider accepts the agreement, and asks the payer to approve it.',
    done: ['created', 'active', 'suspended', 'declined', 'expired', 'cancelled'],
    stops: {
      failed: `The provider refused it. ${CORRECT} with an agreement that it accepts, or abandon the onboarding.`,
      unknown: `The provider does not have it. ${CORRECT} with the agreement, or abandon the onboarding.`,
      not_allowed: `Its client may not initiate agreements now, so nothing was sent. Once it may, ${RESUME}.`,
      other_account: `Its debtor’s account is not one of the counterparty’s accounts, so nothing was sent. ${CORRECT} with an agreement whose debtor has one of these accounts.`,
    },
  },
  payer_decision: {
    part: 'agreement',
    title: 'the payer has accepted',
    awaiting: 'payer-decision',
    actor: 'payer',
    next: 'The payer accepts or declines in their bank’s app, within five days.',
    done: ['active'],
    stops: {
      declined: `The payer declined. Ask them why. ${CORRECT} with an agreement that they accept, or abandon the onboarding.`,
      expired: `The payer did not answer in time. Contact them. ${CORRECT} with the agreement, which asks them again.`,
      cancelled: `The agreement was cancelled. ${CORRECT} with the agreement, which asks the payer again, or abandon the onboarding.`,
      suspended: `The agreement is suspended. Once it is active again, the onboarding continues.`,
      failed: `The provider ended it. ${CORRECT} with the agreement, or abandon the onboarding.`,
    },
  },
  first_payment: {
    part: 'payment',
    title: 'the first payment is settled',
    awaiting: 'settlement',
    actor: 'provider',
    next: 'We check the payment against the agreement’s terms, send it once, and follow it until it settles or fails.',
    done: ['settled'],
    stops: {
      other: `Its uid belongs to a different payment. Compare GET {path}. If that payment is for the same intent, abandon the onboarding; the agreement continues. Only if it is for another intent, ${CORRECT} with another uid.`,
      refused: `The agreement did not admit it, so nothing was sent. ${CORRECT} with a payment that the terms allow. If the same payment may pass later, ${RESUME} then.`,
      failed: `It failed. If a retry is possible, POST {path}/retry: ${CONTINUES}. Otherwise abandon the onboarding; the agreement continues.`,
      lapsed: `It was not sent in time. ${CORRECT} with the payment.`,
      withdrawn: `It was withdrawn. ${CORRECT} with another payment, or abandon the onboarding; the agreement continues.`,
      unresolved: `It is unknown whether the provider has it. Ask the provider before you take another payment, then abandon the onboarding; the agreement continues.`,
      unknown: `The provider does not know it. Ask the provider before you take another payment.`,
    },
  },
};

/** Whether a reading completes or stops a step. A scheduled retry is in progress. */
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

/** The path of a part's resource. */
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

/** A summary of everything that an onboarding needs to know about a part. The resource reports when it changes. */
export function wordOf(part: PartName, reading: Reading | undefined): string {
  if (reading === undefined) return UNDER_WAY;
  if (personIn(reading) !== undefined) return `${reading.state} ${reading.waits ?? ''}`;
  const ofPart = ONBOARDING_STEPS.filter((step) => STEPS[step].part === part);
  return ofPart.some((step) => meaningOf(step, reading) !== 'going') ? reading.state : UNDER_WAY;
}
const UNDER_WAY = 'under_way';

/** Whether the part has stopped, or has completed its last step. */
export function hasOutcome(part: PartName, reading: Reading): boolean {
  const meanings = ONBOARDING_STEPS.filter((step) => STEPS[step].part === part).map((step) =>
    meaningOf(step, reading),
  );
  return meanings.includes('stopped') || meanings.at(-1) === 'done';
}

/** The steps of these parts, in order. A client that is not followed here has no step, because the provider judges it. */
export const stepsOf = (parts: Partial<Parts>): OnboardingStep[] =>
  ONBOARDING_STEPS.filter((step) => uidOf(parts, STEPS[step].part) !== undefined);

/** The uid of a part's resource; undefined if the part is absent or not followed here. */
export function uidOf(parts: Partial<Parts>, part: PartName): string | undefined {
  const { [part]: given } = parts;
  return given !== undefined && 'uid' in given ? given.uid : undefined;
}
