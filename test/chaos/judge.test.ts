import { expect, test } from 'vitest';
import { campaignOf, payoutOf } from './campaign.js';
import { recordsViolation, type Recorded } from './records.js';
import { newTally, note, truthOf, verdictOf, violationSoFar, type Known, type Tally } from './judge.js';
import type { LedgerFact } from '../../sandbox/store/ledger.schema.js';

const campaign = campaignOf(7, 3, '2026-12-01');
const [planned, paid, plain] = campaign.intents.map(({ uid }) => uid) as [string, string, string];
const [first, second, third] = campaign.intents[1]?.refunds.map(({ uid }) => uid) as [string, string, string];

const tallyOf = (...facts: LedgerFact[]): Tally => {
  const tally = newTally();
  facts.forEach((fact, index) => {
    note(tally, { seq: index + 1, at: '2026-12-01T00:00:00.000Z', ...fact });
  });
  return tally;
};
const change = (
  uid: string,
  from: string | null,
  to: string,
  resource_type = 'payto_payment',
): LedgerFact => ({
  ...{ kind: 'change', resource_type, resource_uid: uid, from, to },
  ...{ event_id: null, event_type: null },
});
const refund = (uid: string): LedgerFact => change(uid, null, 'created', 'payto_refund');
const call = (operation: string, uid: string, status: number | 'cut', fault: string | null): LedgerFact => ({
  ...{ kind: 'call', operation, resource_uid: uid, status, fault },
});
const whole = (uid: string): LedgerFact[] => [
  change(uid, null, 'created'),
  change(uid, 'created', 'settled'),
];
const known = (over: Readonly<Record<string, Known>> = {}): Map<string, Known> => {
  const all = [planned, paid, plain].map((uid): [string, Known] => [
    uid,
    { state: 'settled', isParked: false },
  ]);
  return new Map([...all, ...Object.entries(over)]);
};
const ALL = [...whole(planned), ...whole(paid), ...whole(plain)];
const AGAIN = [change(plain, 'settled', 'failed'), change(plain, 'failed', 'created')];
const CUT = call('retry_payment', plain, 'cut', 'cut_before_commit');
const PARKED: Known = { state: 'retrying', isParked: true, attempts: 2 };

test('a complete campaign passes, and the payout of a refund is not counted as our submission', () => {
  const payout = payoutOf({ uid: second });
  const whole = known({ [payout]: { state: 'settled', isParked: false } });
  const found = verdictOf(campaign, tallyOf(...ALL, change(payout, null, 'settled')), whole);
  expect(found).toMatchObject({ violation: undefined, settled: 3, first: 3 });
});

test.each([
  ['a payment created twice', [change(paid, null, 'created')], /to create .* once/],
  ['a submission refused by the provider', [call('create_payment', paid, 422, null)], /it refused/],
  [
    'refunds above the amount of the payment',
    [refund(first), refund(second), refund(third)],
    /refunds of .* at most/,
  ],
] as const)('the check during the campaign finds %s', (_, facts, found) => {
  expect(violationSoFar(campaign, tallyOf(...ALL, ...facts))).toMatch(found);
});

test.each([
  ['a payment taken more often than attempted', AGAIN, {}, /at most once in each of its 1 attempts/],
  [
    'a payment neither final nor parked',
    [],
    { [plain]: { state: 'pending', isParked: false } },
    /final or parked/,
  ],
  [
    'a payment with another final state at the provider',
    [],
    { [plain]: { state: 'failed', isParked: false } },
    /as at the provider/,
  ],
  ['a parked payment that the provider has', AGAIN, { [plain]: PARKED }, /parked only if/],
  ['an unparked retry that was cut before the commit', [CUT], {}, /cut before the commit to be parked/],
  [
    'a second parked first submission in a small campaign',
    [],
    { one: { state: 'requested', isParked: true }, other: { state: 'requested', isParked: true } },
    /one in 1000/,
  ],
] as const)('the final verdict finds %s', (_, facts, over, found) => {
  expect(verdictOf(campaign, tallyOf(...ALL, ...facts), known(over)).violation).toMatch(found);
});

test('the final verdict allows one parked first submission', () => {
  const found = verdictOf(
    campaign,
    tallyOf(...ALL),
    known({ other: { state: 'requested', isParked: true } }),
  );
  expect(found).toMatchObject({ violation: undefined, firstParked: ['other'] });
});

test('the verdict lists parked retries as cut before the commit or never sent', () => {
  const parked = known({ [plain]: PARKED });
  const failed = [...ALL, change(plain, 'settled', 'failed')];
  expect(verdictOf(campaign, tallyOf(...failed, CUT), parked)).toMatchObject({
    violation: undefined,
    cutRetries: [plain],
    unsentRetries: [],
  });
  expect(verdictOf(campaign, tallyOf(...failed), parked)).toMatchObject({
    unsentRetries: [plain],
    cutRetries: [],
  });
});

const TRUTH = truthOf(
  { ...campaign, agreements: ['agr-1'], payouts: [] },
  tallyOf(...ALL, change('agr-1', 'created', 'active', 'payto_agreement')),
  known(),
);
const EVENTS = [
  ...['agreement.created', 'agreement.active'].map((type) => ({ type, uid: 'agr-1' })),
  ...[planned, paid, plain].flatMap((uid) =>
    ['payment.requested', 'payment.settled'].map((type) => ({ type, uid })),
  ),
].map((event, index) => ({ id: `evt_${index}`, ...event }));
const STATES = new Map([...TRUTH].map(([uid, { state }]) => [uid, state]));
const RECORDED: Recorded = { rows: STATES, listed: STATES, events: EVENTS, followed: EVENTS };
const withState = (uid: string, state: string): Map<string, string> => new Map([...STATES, [uid, state]]);
const without = (uid: string): Map<string, string> => new Map([...STATES].filter(([one]) => one !== uid));
const [oldest, ...rest] = EVENTS as [(typeof EVENTS)[number], ...typeof EVENTS];

test('records with the states and events of the provider pass, also if a stream repeats an event', () => {
  expect(recordsViolation(TRUTH, RECORDED)).toBeUndefined();
  expect(recordsViolation(TRUTH, { ...RECORDED, followed: [oldest, ...EVENTS] })).toBeUndefined();
});

test.each([
  ['a deleted row', { rows: without(paid) }, /row of .* to be settled; it is absent/],
  ['a row in another state', { rows: withState(paid, 'failed') }, /row of .*; it is failed/],
  ['a row of an unknown payment', { rows: withState('pay-0', 'settled') }, /no row of pay-0/],
  ['an agreement that a list lacks', { listed: without('agr-1') }, /list item of agr-1 to be active/],
  [
    'a deleted event',
    { events: EVENTS.slice(0, -1), followed: EVENTS.slice(0, -1) },
    /1 events payment.settled/,
  ],
  ['an event stored twice', { events: [...EVENTS, oldest] }, /each event once/],
  ['an event that the stream missed', { followed: rest }, /stream to have event 0/],
] as const)('the check of the records finds %s', (_, over, found) => {
  expect(recordsViolation(TRUTH, { ...RECORDED, ...over })).toMatch(found);
});

test('the same seed gives the same campaign with retries, plans and refunds', () => {
  const many = campaignOf(11, 200, '2026-12-01');
  expect(campaignOf(11, 200, '2026-12-01')).toEqual(many);
  expect(new Set(many.intents.map(({ uid }) => uid)).size).toBe(200);
  const among = (isIt: (intent: (typeof many.intents)[number]) => boolean) =>
    many.intents.filter(isIt).length;
  expect(among(({ askedBy }) => askedBy === 'plan')).toBe(10);
  const clocks = many.intents.filter(({ askedBy }) => askedBy === 'plan').map(({ agreement }) => agreement);
  expect(among(({ agreement }) => clocks.includes(agreement))).toBe(10);
  expect(among(({ failures }) => failures > 0)).toBe(30);
  expect(among(({ refunds }) => refunds.length > 0)).toBe(40);
  expect(among(({ isLagging }) => isLagging)).toBeGreaterThan(60);
});
