// Taking an amendment back: when it is accepted, who wins the race, and under which of its two names it is told.
import { expect, test } from 'vitest';
import {
  aFailure,
  agreementOf,
  changesOf,
  FIVE_DAYS,
  historyOf,
  verdict,
  amend,
  amendmentOf,
  anAwaitedAmendment,
  NEW_TERMS,
  NEW_TEXT,
  recall,
} from '../../support/sandbox/agreements.js';
import { callerWith, consent } from '../../support/sandbox/caller.js';
import { anActiveAgreement, aSharedWorld, aWorld, type World } from '../../support/sandbox/world.js';

const theWorld = aSharedWorld();

const RECALL = 'payto_agreement_amendment_recall';
const typesOf = async (world: World, uid: string) => (await historyOf(world, uid)).map(({ type }) => type);

test('an amendment that awaits the payer is taken back: 202, then told without a body', async () => {
  const world = await aWorld();
  const uid = await anAwaitedAmendment(world);
  const answer = await recall(world, uid);
  expect([answer.status, answer.data]).toEqual([202, {}]);
  await world.control.advance(1);
  expect((await historyOf(world, uid)).at(-1)).toEqual({ type: 'amended_recalled', body: null });
  expect((await amendmentOf(world, uid)).status).toBe(404);
  expect((await agreementOf(world, uid))['payment_terms']).toMatchObject({ max_amount: 25_000 });
  expect(changesOf(world, 'payto_agreement_amendment').at(-1)).toEqual([
    'created',
    'recalled',
    'amended_recalled',
  ]);
  expect(changesOf(world, RECALL)).toEqual([
    [null, 'pending', null],
    ['pending', 'completed', null],
  ]);
});

test('its event has two names, met in turns for each agreement', async () => {
  const world = theWorld();
  const first = await anAwaitedAmendment(world);
  const second = await anAwaitedAmendment(world);
  await recall(world, first);
  await world.control.advance(1);
  for (const uid of [first, first, second]) {
    await amend(world, uid, NEW_TERMS, { sandbox: { delay: 600 } });
    await world.control.advance(1);
    await recall(world, uid);
    await world.control.advance(1);
  }
  const recalls = async (uid: string) => (await typesOf(world, uid)).filter((type) => /recall/.test(type));
  expect(await recalls(first)).toEqual(['amended_recalled', 'amendment_recalled', 'amended_recalled']);
  expect(await recalls(second)).toEqual(['amended_recalled']);
});

test('simulate amendment_applied: the payer was quicker', async () => {
  const world = await aWorld();
  const uid = await anAwaitedAmendment(world);
  await recall(world, uid, { sandbox: { simulate: 'amendment_applied', delay: 600 } });
  await world.control.advance(500);
  expect((await amendmentOf(world, uid)).data.state).toBe('created');
  await world.control.advance(101);
  expect((await historyOf(world, uid)).slice(-2)).toEqual([
    { type: 'amended', body: { caused_by: 'initiator', changes: NEW_TERMS } },
    { type: 'amendment_recall_failed', body: aFailure() },
  ]);
  expect((await agreementOf(world, uid))['payment_terms']).toMatchObject({ max_amount: 40_000 });
  expect(changesOf(world, RECALL).at(-1)).toEqual(['pending', 'failed', 'amendment_recall_failed']);
});

test.each(['accept_amendment', 'decline_amendment', 'cancel'] as const)(
  'the payer is really quicker, with %s: the recall fails',
  async (action) => {
    const world = theWorld();
    const uid = await anAwaitedAmendment(world);
    await recall(world, uid, { sandbox: { delay: 60 } });
    world.control.actAsPayer(uid, action);
    await world.control.advance(61);
    expect((await typesOf(world, uid)).at(-1)).toBe('amendment_recall_failed');
  },
);

test('a control script has a recall fail; the amendment goes on, and can be recalled again', async () => {
  const world = theWorld();
  const uid = await anAwaitedAmendment(world);
  world.control.scriptAction(uid, { action: 'recall', simulate: 'recall_failed' });
  await recall(world, uid);
  await world.control.advance(1);
  expect((await historyOf(world, uid)).at(-1)).toEqual({ type: 'amendment_recall_failed', body: aFailure() });
  expect((await amendmentOf(world, uid)).data.state).toBe('created');
  await recall(world, uid);
  await world.control.advance(1);
  expect((await typesOf(world, uid)).at(-1)).toBe('amended_recalled');
});

test('it is ZPARE02 where there never was an amendment', async () => {
  const world = theWorld();
  expect(verdict(await recall(world, await anActiveAgreement(world)))).toBe('ZPARE02');
});

test('it is ZPARE00 before the amendment is with the payer', async () => {
  const world = theWorld();
  const uid = await anActiveAgreement(world);
  await amend(world, uid, NEW_TEXT, { sandbox: { delay: 60 } });
  const answer = await recall(world, uid);
  expect(verdict(answer)).toBe('ZPARE00');
  expect(answer.errors[0]?.detail).toContain('is pending');
});

test.each([
  ['applied', 'accept_amendment'],
  ['declined', 'decline_amendment'],
  ['failed', 'cancel'],
] as const)('it is ZPARE00 once the amendment is %s', async (state, action) => {
  const world = theWorld();
  const uid = await anAwaitedAmendment(world);
  world.control.actAsPayer(uid, action);
  const answer = await recall(world, uid);
  expect(verdict(answer)).toBe('ZPARE00');
  expect(answer.errors[0]?.detail).toContain(`is ${state}`);
});

test('it is ZPARE00 once the amendment has expired or is recalled', async () => {
  const world = await aWorld();
  const expired = await anAwaitedAmendment(world);
  await world.control.advance(FIVE_DAYS);
  const caller = await world.newCaller();
  expect((await recall({ caller }, expired)).errors[0]?.detail).toContain('is expired');
  const recalled = await anAwaitedAmendment({ ...world, caller });
  await recall({ caller }, recalled);
  await world.control.advance(1);
  expect((await recall({ caller }, recalled)).errors[0]?.detail).toContain('is recalled');
});

test('it is ZPARE01 while a recall is under way', async () => {
  const world = theWorld();
  const uid = await anAwaitedAmendment(world);
  await recall(world, uid, { sandbox: { delay: 60 } });
  expect(verdict(await recall(world, uid))).toBe('ZPARE01');
});

test.each([
  [{ reason: 'customer_requested' }, 400],
  [{ sandbox: { simulate: 'recall_failed' } }, 'ZPUNP00'],
  [{ sandbox: { simulate: 'successful_recall' } }, 'ZPUNP00'],
])('with %o it is refused, %s', async (body, expected) => {
  const world = theWorld();
  const uid = await anAwaitedAmendment(world);
  expect(verdict(await recall(world, uid, body))).toBe(expected);
});

test('it needs a scope of its own, and an agreement', async () => {
  const world = theWorld();
  const narrow = callerWith(world.url, (await consent(world.url, 'pay_to_amendments')).access);
  expect((await recall({ caller: narrow }, 'none')).headers.get('www-authenticate')).toContain(
    'scope="pay_to_amendment_recalls"',
  );
  expect((await recall(world, 'none')).status).toBe(404);
});
