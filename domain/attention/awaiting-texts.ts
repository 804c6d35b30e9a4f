// What each wait is, in words for an operator. Pure.
import { pollIntervalsInWords } from '../time/poll-intervals.js';
import { WATCHES } from '../agreement/watches.js';
import type { PollIntervalsName } from '../time/poll-intervals.js';
import type { AwaitingWhat } from './awaiting.js';
import type { Watch } from '../agreement/watches.js';

const asking = (name: PollIntervalsName): string =>
  `the provider notifies us; in case the notification is lost we ask after ${pollIntervalsInWords(name)}.`;

/** The payer may be late: from then on the provider is asked more often. */
const askingUntilLate = ({ pollIntervals, late }: Watch): string =>
  late === undefined
    ? asking(pollIntervals)
    : `${asking(pollIntervals)} After their five days we ask ${pollIntervalsInWords(late)}.`;

export const WAITS: Readonly<Record<AwaitingWhat, { waiting: string; next: string }>> = {
  'provider-acceptance': {
    waiting: 'Waiting for the provider to accept our request',
    next: 'the provider is asked until it answers; a repeat creates no second one, since the uid is the same.',
  },
  'payer-decision': {
    waiting: "Waiting for the payer's decision",
    next: `the payer accepts or declines in their bank's app, and ${askingUntilLate(WATCHES.creation)}`,
  },
  'action-outcome': {
    waiting: 'Waiting for the outcome of a command that the provider has accepted',
    next: asking('action'),
  },
  'amendment-decision': {
    waiting: "Waiting for the payer's decision on an amendment",
    next: `until the payer has accepted, the old terms hold; ${askingUntilLate(WATCHES.amendment)}`,
  },
  'look-up': {
    waiting: 'Fetching the current state from the provider',
    next: 'what it shows is compared with the facts that were received.',
  },
  reauthorisation: {
    waiting: "Waiting for the merchant's consent",
    next: 'once a person has consented, this goes on by itself.',
  },
  settlement: {
    waiting: 'Waiting for the payment to settle or fail',
    next: `${asking('payment')} Nothing is ever sent again meanwhile.`,
  },
  refund: {
    waiting: 'Waiting for the outcome of a refund',
    next: `${asking('payment')} Nothing is ever sent again meanwhile.`,
  },
  service: {
    waiting: 'Waiting for the provider to decide on the PayTo service of a client',
    next: `no event says so: we ask after ${pollIntervalsInWords('service')}. Once it is decided, we ask every 24 h.`,
  },
  limit: {
    waiting: 'Waiting for a daily limit of the provider to pass',
    next: 'the call is made again then, unless the agreement is cancelled before.',
  },
  verification: {
    waiting: 'Waiting for the verification of an account',
    next: 'nothing is registered before; one that may be asked again is: no clear answer, ever later; a daily limit, on the next day.',
  },
  'submission-outcome': {
    waiting: 'Finding out whether the provider has what was sent',
    next: 'the provider is asked for this very uid; only if it does not know it for two minutes is the same uid sent again.',
  },
  agreement: {
    waiting: 'Waiting for its agreement to say whether it may still be sent',
    next: 'it is asked again, once a minute at the most, until it is certain how it stands; a payment that was never sent lapses at the end of its time.',
  },
  retry: {
    waiting: 'Waiting to try the payment again',
    next: 'it has failed, and is tried again under the same uid, as was asked for with it; a withdrawal ends that.',
  },
  stop: {
    waiting: 'Waiting, as a stop of payments is in force, or it cannot be read whether one is',
    next: `GET /v1/stop says what is stopped and why. Once no stop is left this resumes automatically: we look after ${pollIntervalsInWords('stop')}. A payment that is unsent at the end of its time lapses; a refund does not lapse.`,
  },
  rows: {
    waiting: 'Waiting until every row of a batch has its answer',
    next: `rows are started as the rate of calls allows; of what was started we look after ${pollIntervalsInWords('rows')}.`,
  },
  batch: {
    waiting: 'Waiting for its batch to be complete, or to go on',
    next: 'a batch starts its rows once it has received all; one that is paused goes on with POST /v1/batches/{id}/resumption.',
  },
  operator: {
    waiting: 'Waiting for an operator',
    next: 'see what needs attention below.',
  },
  consent: {
    waiting: "Waiting for the merchant's first consent",
    next: 'a person opens the consent link and allows it.',
  },
  nothing: {
    waiting: 'Nothing is awaited',
    next: 'each notification of the provider and each command of a caller is handled at once.',
  },
};
