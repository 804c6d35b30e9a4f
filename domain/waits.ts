// What each wait is, in words for someone who knows no code. Pure.
import { ladderInWords } from './ladder.js';
import { WATCHES } from './watch.js';
import type { LadderName } from './ladder.js';
import type { AwaitingWhat } from './legible.js';
import type { Watch } from './watch.js';

const asking = (name: LadderName): string =>
  `the provider tells us; in case that is lost we ask it after ${ladderInWords(name)}.`;

/** Whoever decides may be late: from then on it is asked more often. */
const askingUntilLate = ({ ladder, late }: Watch): string =>
  late === undefined
    ? asking(ladder)
    : `${asking(ladder)} After their five days we ask ${ladderInWords(late)}.`;

export const WAITS: Readonly<Record<AwaitingWhat, { waiting: string; next: string }>> = {
  'provider-acceptance': {
    waiting: 'Waiting for the provider to take our request',
    next: 'it is asked until it answers; a repeat cannot make a second one, since the uid is the same.',
  },
  'payer-decision': {
    waiting: "Waiting for the payer's decision",
    next: `the payer accepts or declines in their bank's app, and ${askingUntilLate(WATCHES.creation)}`,
  },
  'action-outcome': {
    waiting: 'Waiting for what comes of a command that the provider has taken',
    next: asking('action'),
  },
  'amendment-decision': {
    waiting: "Waiting for the payer's decision on an amendment",
    next: `until the payer has accepted, the old terms hold; ${askingUntilLate(WATCHES.amendment)}`,
  },
  'look-up': {
    waiting: 'Reading from the provider how things stand',
    next: 'what it shows is settled against the facts that were received.',
  },
  reauthorisation: {
    waiting: "Waiting for the merchant's consent",
    next: 'once a person has consented, this goes on by itself.',
  },
  settlement: {
    waiting: 'Waiting for the payment to settle or fail',
    next: `${asking('payment')} Nothing is ever sent again meanwhile.`,
  },
  'submission-outcome': {
    waiting: 'Finding out whether the provider has what was sent',
    next: 'the provider is asked for this very uid; only if it does not know it for two minutes is the same uid sent again.',
  },
  operator: {
    waiting: 'Waiting for an operator',
    next: 'see what needs attention below.',
  },
  consent: {
    waiting: 'Waiting for the merchant to let us in',
    next: 'a person opens the consent link and allows it.',
  },
  nothing: {
    waiting: 'Nothing is awaited',
    next: 'whatever the provider tells us, or a caller asks for, is taken up at once.',
  },
};
