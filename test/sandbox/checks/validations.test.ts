import { expect, test } from 'vitest';
import { BY_NUMBER, ENDINGS, endingOf } from '../../../sandbox/checks/validations.js';
import { aValidation, simulating } from '../../support/sandbox/requests.js';
import { aWorld, type World } from '../../support/sandbox/world.js';

const A_DAY_SECONDS = 24 * 60 * 60;
const PATH = '/cop/account/validate';
const CHANNELS = ['npp.sct', 'de.dc'];
const published = (match_name: string) => ({ match_name, message: `The account is held by ${match_name}` });
const insights = (overrides: object = {}) => ({
  insights: { is_joint: false, suggested_payment_channels: CHANNELS, ...overrides },
});

const MATCH = { outcome: { result: 'match', ...published('A Payer') }, ...insights({ risk_score: 5 }) };
const NO_MATCH = { outcome: { result: 'no_match' } };

test.each([
  [{}, MATCH],
  [simulating('match'), MATCH],
  [
    simulating('close_match'),
    {
      outcome: { result: 'close_match', ...published('A Payer and others') },
      ...insights({ risk_score: 25, is_joint: true }),
    },
  ],
  [simulating('no_match'), NO_MATCH],
  [simulating('individual_no_match'), NO_MATCH],
  [
    simulating('non_individual_no_match'),
    { outcome: { result: 'no_match', ...published('Another Business Pty Ltd') }, ...insights() },
  ],
  [simulating('account_closed'), { outcome: { result: 'account_closed' } }],
])('%o is compared, and the name told only where it may be', async (overrides, data) => {
  const { caller } = await aWorld();
  const request = aValidation(overrides);
  const answer = await caller.post(PATH, request);
  expect([answer.status, answer.data]).toEqual([200, { uid: request.uid, ...data }]);
});

test.each(Object.entries(BY_NUMBER))('the account number %s is what %s simulates', (number, simulate) => {
  expect(endingOf(undefined, `200001-${number}`)).toBe(ENDINGS[simulate]);
  expect(endingOf('match', `200001-${number}`)).toBe(ENDINGS.match);
});

test.each(['match', 'no_account_found', 'rate_limited', 'requester_daily_request_limit_exceeded'])(
  'a uid is used up by an attempt that ends with %s',
  async (simulate) => {
    const { caller } = await aWorld();
    const request = aValidation(simulating(simulate));
    await caller.post(PATH, request);
    const again = await caller.post(PATH, aValidation({ uid: request.uid }));
    expect(again).toMatchObject({ status: 422, errors: [{ code: 'ZPUNP00' }] });
    expect(again.errors[0]?.meta?.resource_uid).toBe(request.uid);
  },
);

const codesOf = async (world: World, attempts: readonly object[]) => {
  const caller = await world.newCaller();
  const codes: (string | number)[] = [];
  for (const attempt of attempts) {
    const { status, errors } = await caller.post(PATH, aValidation(attempt));
    codes.push(errors[0]?.code ?? status);
  }
  return codes;
};
const by = (id: string, more: object = {}) => ({ requester: { id }, ...more });
const lost = simulating('no_match');

test.each([
  ['account_no_matches_per_day', 'ZCOPR04', [by('b', lost), by('a'), by('c', lost)]],
  ['requester_no_matches_per_day', 'ZCOPR05', [by('a', lost), by('a'), by('a', lost)]],
  ['account_validations_per_day', 'ZCOPR06', [by('b'), by('c')]],
  ['account_validations_per_requester_per_day', 'ZCOPR07', [by('a'), by('a')]],
] as const)('%s ends in %s for 24 hours', async (limit, code, attempts) => {
  const world = await aWorld();
  world.control.setLimits({ [limit]: 2 });
  expect(await codesOf(world, [...attempts, by('a')])).toEqual([...attempts.map(() => 200), code]);
  await world.control.advance(A_DAY_SECONDS - 60);
  expect(await codesOf(world, [by('a')])).toEqual([code]);
  await world.control.advance(60);
  expect(await codesOf(world, [by('a')])).toEqual([200]);
});

test('a requester at the limit does not keep others back', async () => {
  const world = await aWorld();
  world.control.setLimits({ account_validations_per_requester_per_day: 1, requester_no_matches_per_day: 1 });
  expect(await codesOf(world, [by('a', lost), by('a'), by('b', lost), by('c')])).toEqual([
    200,
    'ZCOPR05',
    200,
    200,
  ]);
});
