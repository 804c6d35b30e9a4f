import type { LedgerEntry } from '../../sandbox/store/ledger.schema.js';
import { payoutsOf, type Campaign, type Intent } from './campaign.js';
import { SUBMISSIONS } from './faults.js';

export interface Tally {
  taken: Map<string, number>;
  created: Map<string, number>;
  failures: Map<string, number>;
  states: Map<string, string>;
  faults: Map<string, string[]>;
  refused: { operation: string; uid: string }[];
}

export const newTally = (): Tally => ({
  taken: new Map(),
  created: new Map(),
  failures: new Map(),
  states: new Map(),
  faults: new Map(),
  refused: [],
});

const MONEY: ReadonlySet<string> = new Set(['payto_payment', 'payto_refund']);
const isSubmission = (operation: string): boolean => SUBMISSIONS.some((known) => known === operation);
const REFUSED = 422;

export function note(tally: Tally, entry: LedgerEntry): void {
  if (entry.kind === 'change' && entry.resource_type === 'payto_agreement')
    tally.states.set(entry.resource_uid, entry.to);
  if (entry.kind === 'change' && MONEY.has(entry.resource_type)) {
    const { resource_uid: uid, from, to } = entry;
    tally.states.set(uid, to);
    if (to === 'created') count(tally.taken, uid);
    if (from === null) count(tally.created, uid);
    if (to === 'failed') count(tally.failures, uid);
  }
  if (entry.kind !== 'call' || !isSubmission(entry.operation)) return;
  const { operation, resource_uid: uid, fault, status } = entry;
  if (uid === null) return;
  if (status === REFUSED) tally.refused.push({ operation, uid });
  if (fault === null) return;
  const name = `${operation} ${fault}`;
  tally.faults.set(name, [...(tally.faults.get(name) ?? []), uid]);
}

const count = (counts: Map<string, number>, uid: string): void => {
  counts.set(uid, (counts.get(uid) ?? 0) + 1);
};

export function violationSoFar({ intents }: Campaign, tally: Tally): string | undefined {
  const [refused] = tally.refused;
  if (refused !== undefined)
    return `expected the provider to accept every submission; it refused ${refused.operation} of ${refused.uid}`;
  for (const [uid, times] of tally.created)
    if (times > 1) return `expected the provider to create ${uid} once; it created it ${times} times`;
  for (const intent of intents) {
    const back = givenBack(intent, tally);
    if (back > intent.amount)
      return `expected refunds of ${intent.uid} to be at most ${intent.amount} cents; got ${back} cents`;
  }
  return undefined;
}

const givenBack = ({ refunds }: Intent, { states }: Tally): number =>
  refunds
    .filter(({ uid }) => (states.get(uid) ?? 'failed') !== 'failed')
    .reduce((sum, { amount }) => sum + amount, 0);

export interface Known {
  state: string;
  isParked: boolean;
  attempts?: number;
  tookMs?: number;
}

export interface Verdict {
  violation: string | undefined;
  settled: number;
  first: number;
  firstParked: readonly string[];
  retries: number;
  cutRetries: readonly string[];
  unsentRetries: readonly string[];
}

const PARKED_ONE_IN = 1000;

export function verdictOf(campaign: Campaign, tally: Tally, known: ReadonlyMap<string, Known>): Verdict {
  const { intents } = campaign;
  const payouts = new Set(intents.flatMap(({ refunds }) => refunds.flatMap(payoutsOf)));
  const ours = [...known.keys()].filter((uid) => !payouts.has(uid));
  const isRetry = (uid: string): boolean => (known.get(uid)?.attempts ?? 1) > 1;
  const parked = ours.filter((uid) => known.get(uid)?.isParked === true);
  const cut = new Set(tally.faults.get('retry_payment cut_before_commit'));
  const cutRetries = parked.filter((uid) => isRetry(uid) && cut.has(uid));
  const found = {
    settled: ours.filter((uid) => known.get(uid)?.state === 'settled').length,
    first: ours.length,
    firstParked: parked.filter((uid) => !isRetry(uid)),
    retries: ours.reduce((sum, uid) => sum + (known.get(uid)?.attempts ?? 1) - 1, 0),
    cutRetries,
    unsentRetries: parked.filter((uid) => isRetry(uid) && !cut.has(uid)),
  };
  const wrongs = [
    violationSoFar(campaign, tally),
    ...intents.map(({ uid }) => (known.has(uid) ? undefined : `expected a payment ${uid}; found none`)),
    ...[...known].map(([uid, one]) => violationOf(uid, one, tally)),
    found.firstParked.length > Math.max(Math.floor(found.first / PARKED_ONE_IN), 1)
      ? `expected at most one in ${PARKED_ONE_IN} of ${found.first} first submissions to be parked; found ${found.firstParked.join(', ')}`
      : undefined,
    cut.size === cutRetries.length
      ? undefined
      : `expected the ${cut.size} retries that were cut before the commit to be parked; not parked: ${[...cut]
          .filter((uid) => !cutRetries.includes(uid))
          .map((uid) => `${uid} (${known.get(uid)?.state ?? 'absent'})`)
          .join(', ')}`,
  ];
  return { violation: wrongs.find((wrong) => wrong !== undefined), ...found };
}

/** What the records must have of one resource. */
export interface Truth {
  type: 'agreement' | 'payment' | 'refund';
  state: string;
  isParked: boolean;
  failures: number;
}

/** By uid. The provider decides, except for what is parked because it lacks the newest attempt. */
export function truthOf(
  { agreements, payouts, intents }: Campaign,
  { states, failures }: Tally,
  known: ReadonlyMap<string, Known>,
): Map<string, Truth> {
  const refunds = new Set(intents.flatMap((intent) => intent.refunds.map(({ uid }) => uid)));
  const there = (uid: string): string => states.get(uid) ?? 'absent';
  const ofAgreements = [...agreements, ...payouts].map((uid): [string, Truth] => [
    uid,
    { type: 'agreement', state: there(uid), isParked: false, failures: 0 },
  ]);
  const ofMoney = [...known].map(([uid, { state, isParked }]): [string, Truth] => [
    uid,
    {
      type: refunds.has(uid) ? 'refund' : 'payment',
      state: isParked ? state : there(uid),
      isParked,
      failures: failures.get(uid) ?? 0,
    },
  ]);
  return new Map([...ofAgreements, ...ofMoney]);
}

const FINAL: ReadonlySet<string> = new Set(['settled', 'failed', 'processed']);

function violationOf(
  uid: string,
  { state, isParked, attempts = 1 }: Known,
  tally: Tally,
): string | undefined {
  const taken = tally.taken.get(uid) ?? 0;
  if (taken > attempts)
    return `expected ${uid} to be taken at most once in each of its ${attempts} attempts; the provider took it ${taken} times`;
  if (isParked)
    return taken === attempts
      ? `expected ${uid} to be parked only if the provider lacks its newest attempt; it has all ${taken}`
      : undefined;
  if (!FINAL.has(state)) return `expected ${uid} to be final or parked; it is ${state}`;
  const there = tally.states.get(uid);
  return there === state
    ? undefined
    : `expected ${uid} to be ${there ?? 'absent'} as at the provider; it is ${state}`;
}
