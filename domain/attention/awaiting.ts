// What a workflow waits for, in the words for an operator. Pure.
import { pollIntervalsInWords, type PollIntervalsName } from '../time/poll-intervals.js';
import { WATCHES, type Watch } from '../agreement/watches.js';
import type { Instant } from '../facts/fact.js';

const asking = (name: PollIntervalsName): string =>
  `The provider notifies us. In case the notification is lost, we also poll after ${pollIntervalsInWords(name)}.`;

/** Once the payer is overdue, we poll more often. */
const askingUntilLate = ({ pollIntervals, late }: Watch): string =>
  late === undefined
    ? asking(pollIntervals)
    : `${asking(pollIntervals)} After the payer’s five days we poll ${pollIntervalsInWords(late)}.`;

/** Each wait, with what happens next. */
export const WAITS = {
  'provider-acceptance': {
    waiting: 'Waiting for the provider to accept our request',
    next: 'We retry until the provider answers. A repeat creates no duplicate, because the uid stays the same.',
  },
  'payer-decision': {
    waiting: "Waiting for the payer's decision",
    next: `The payer accepts or declines in their bank's app. ${askingUntilLate(WATCHES.creation)}`,
  },
  'amendment-decision': {
    waiting: "Waiting for the payer's decision on an amendment",
    next: `The old terms apply until the payer accepts. ${askingUntilLate(WATCHES.amendment)}`,
  },
  'action-outcome': {
    waiting: 'Waiting for the outcome of a command that the provider has accepted',
    next: asking('action'),
  },
  'look-up': {
    waiting: 'Fetching the current state from the provider',
    next: 'We compare the provider’s state with the facts that we received.',
  },
  // The provider refuses our calls until the merchant consents again.
  reauthorisation: {
    waiting: "Waiting for the merchant's consent",
    next: 'This continues automatically once the merchant has consented.',
  },
  settlement: {
    waiting: 'Waiting for the payment to settle or fail',
    next: `${asking('payment')} The payment is not sent again while it is pending.`,
  },
  refund: {
    waiting: 'Waiting for the outcome of a refund',
    next: `${asking('payment')} The refund is not sent again while it is pending.`,
  },
  service: {
    waiting: 'Waiting for the provider to decide on the PayTo service of a client',
    next: `No event reports the decision, so we poll after ${pollIntervalsInWords('service')}. After the decision we poll every 24 h.`,
  },
  limit: {
    waiting: 'Waiting for a daily limit of the provider to reset',
    next: 'We retry the call after the limit resets, unless the agreement is cancelled first.',
  },
  verification: {
    waiting: 'Waiting for the verification of an account',
    next: 'Nothing is registered until the account is verified. Without a clear answer from the provider, we retry with growing delays. After a daily limit, or if the bank could not confirm the account, we retry on the next day.',
  },
  'submission-outcome': {
    waiting: 'Finding out whether the provider received the submission',
    next: 'We look up this uid at the provider. We send the same uid again only if the provider does not know it for two minutes.',
  },
  agreement: {
    waiting: 'Waiting for the agreement to confirm that the payment may be sent',
    next: 'We check again, at most once a minute, until the state of the agreement is certain. An unsent payment lapses at the end of its time.',
  },
  retry: {
    waiting: 'Waiting to retry the payment',
    next: 'The payment has failed. We retry it under the same uid, as the request specified, unless it is withdrawn.',
  },
  stop: {
    waiting: 'Waiting because payments are stopped, or because we cannot read whether they are',
    next: `GET /v1/stop shows each stop and its reason. This resumes automatically once no stop is left: we check after ${pollIntervalsInWords('stop')}. A payment that is still unsent at the end of its time lapses; a refund does not lapse.`,
  },
  rows: {
    waiting: 'Waiting for every row of a batch to get its answer',
    next: `Rows start as fast as the rate limit allows. We check started rows after ${pollIntervalsInWords('rows')}.`,
  },
  batch: {
    waiting: 'Waiting for the batch to be complete, or to resume',
    next: 'A batch starts its rows once it has received all of them. POST /v1/batches/{id}/resumption resumes a paused batch.',
  },
  operator: {
    waiting: 'Waiting for an operator',
    next: 'Each attention flag states what to do.',
  },
  consent: {
    waiting: "Waiting for the merchant's first consent",
    next: 'The merchant opens the consent link and consents.',
  },
  nothing: {
    waiting: 'Nothing is pending',
    next: 'Ready. Events and commands are handled immediately.',
  },
} as const satisfies Readonly<Record<string, { waiting: string; next: string }>>;
export type AwaitingWhat = keyof typeof WAITS;
/** In the order of the API document. */
export const AWAITED = Object.keys(WAITS) as readonly AwaitingWhat[];

/** What a resource waits for, since when, and the latest end of the wait (absent: no limit). */
export interface Awaiting {
  what: AwaitingWhat;
  since: Instant;
  until?: Instant | undefined;
}
