// State, history, webhooks and ledger of an agreement agree after any sequence of commands.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ServiceAction } from '../../../sandbox/agreements/life.js';
import { PayerAction } from '../../../sandbox/payer/actions.js';
import {
  aDebtor,
  sendAction,
  agreementOf,
  historyOf,
  amend,
  recall,
} from '../../support/sandbox/agreements.js';
import { anAgreement } from '../../support/sandbox/requests.js';
import { aWorld, type World } from '../../support/sandbox/world.js';

type Step = (world: World, uid: string) => unknown;

const attempt = (act: () => void): void => {
  try {
    act();
  } catch (error) {
    expect(String(error)).toMatch(/cannot|not possible/);
  }
};

const delay = fc.integer({ min: 0, max: 40 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc
    .tuple(fc.constantFrom('suspension', 'cancellation', 'reactivation', 'reactivation', 'suspension'), delay)
    .map(
      ([action, seconds]): Step =>
        (world, uid) =>
          sendAction(world, uid, action, { sandbox: { simulate: `successful_${action}`, delay: seconds } }),
    ),
  fc
    .tuple(
      fc.integer({ min: 1, max: 9 }),
      fc.constantFrom('debtor_accept', 'debtor_decline', 'expire'),
      delay,
    )
    .map(
      ([count, simulate, seconds]): Step =>
        (world, uid) =>
          amend(world, uid, { payment_terms: { count } }, { sandbox: { simulate, delay: seconds } }),
    ),
  delay.map((seconds): Step => (world, uid) => {
    world.control.scriptAction(uid, { action: 'recall', simulate: 'successful_recall', delay: seconds });
    return recall(world, uid);
  }),
  fc
    .constantFrom(...PayerAction.options.filter((it) => it !== 'cancel'))
    .map((action): Step => ({ control }, uid) => {
      attempt(() => {
        control.actAsPayer(uid, action);
      });
    }),
  fc.constantFrom(...ServiceAction.options).map((action): Step => ({ control }, uid) => {
    attempt(() => {
      control.actAsService(uid, action);
    });
  }),
  fc.integer({ min: 1, max: 30 }).map(
    (seconds): Step =>
      ({ control }) =>
        control.advance(seconds),
  ),
);

test('property: state, history, webhooks and ledger agree after any commands', async () => {
  const world = await aWorld();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const here = { ...world, caller: await world.newCaller() };
      const { uid } = await anAcceptedAgreement(here);
      for (const take of steps) await take(here, uid);
      await here.control.advance(120);
      await expectOneTruth(here, uid);
    }),
    { numRuns: 15 },
  );
}, 60_000);

async function anAcceptedAgreement({ caller, control }: World) {
  const request = anAgreement({ debtor: aDebtor() });
  await caller.post('/payto/agreements', request);
  await control.advance(1);
  return request;
}

async function expectOneTruth(world: World, uid: string): Promise<void> {
  const changes = world.control
    .ledger()
    .flatMap((entry) => (entry.kind === 'change' && entry.resource_uid === uid ? [entry] : []));
  const about = (type: string) => changes.filter(({ resource_type }) => resource_type === type);

  const states = about('payto_agreement');
  expect(states.map(({ from }) => from)).toEqual([null, ...states.map(({ to }) => to).slice(0, -1)]);
  expect((await agreementOf(world, uid)).state).toBe(states.at(-1)?.to);

  const { list } = await world.caller.get(`/payto/agreements/${uid}/history?per_page=100`);
  const history = list.map(({ id }) => id).toReversed();
  expect(changes.flatMap(({ event_id }) => event_id ?? [])).toEqual(history);
  const received = world.receiver.received.flatMap(({ envelope: { data } }) =>
    data.resource_uid === uid ? [data.id] : [],
  );
  expect(received).toEqual(history);
  expect((await historyOf(world, uid))[0]?.type).toBe('activated');

  for (const action of ['suspension', 'cancellation', 'reactivation', 'amendment', 'amendment_recall']) {
    const moves = about(`payto_agreement_${action}`).map(({ from, to }) => ({ from, to }));
    const ends = moves.filter(({ to }) => to !== 'pending' && to !== 'created');
    expect(ends).toHaveLength(moves.filter(({ from }) => from === null).length);
  }
}
