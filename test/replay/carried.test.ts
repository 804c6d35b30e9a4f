import { describe, expect, test } from 'vitest';
import { PAYMENT_WORKFLOW } from '../../workflows/payment/contract.js';
import { carriedOver, newPayment } from '../../workflows/payment/state.js';
import { carrying, upgrade } from '../../workflows/entity/upgrade.js';
import { anOrder } from '../support/workflows/provider.js';
import { begunWith, carriedOn } from './carried.js';
import { newestOf, ofToday, runsOf, storiesOf, versions } from './histories.js';
import type { Carried } from '../../workflows/entity/upgrade.js';

const stories = versions().flatMap((version) =>
  storiesOf(version).map((story) => ({ version, story, runs: runsOf(version, story) })),
);
const recorded = stories.flatMap(({ version, story, runs }) =>
  runs.flatMap((run, place) => {
    const carried = carriedOn(run);
    return carried === undefined ? [] : [{ name: `${version}: ${story}, run ${place + 1}`, carried }];
  }),
);

describe('what a recorded run carried', () => {
  test.each(recorded)('$name', async ({ carried }) => {
    const { awaiting } = await begunWith(carried, upgrade);
    expect(awaiting.what).toEqual(expect.any(String));
  });
});

describe('a release that carries another shape', () => {
  const older = carrying([]);
  const { attention: _, ...state } = carriedOver(
    newPayment({ uid: 'pay-1', connectionId: 'acme', order: anOrder('agr-1') }, '2026-11-01T00:00:00.000Z'),
  );
  const today = carrying([(carried) => ({ attention: [], ...carried })]);
  const left = (attributes: object) => ({
    workflowId: 'payment/pay-1',
    history: {
      events: [
        { workflowExecutionStartedEventAttributes: { workflowType: { name: PAYMENT_WORKFLOW } } },
        attributes,
      ],
    },
  });
  const payloads = (carried: Carried<object>) => ({
    payloads: [{ data: Buffer.from(JSON.stringify({ uid: 'pay-1', carried })).toString('base64') }],
  });
  const continued = (carried: Carried<object>) =>
    carriedOn(left({ workflowExecutionContinuedAsNewEventAttributes: { input: payloads(carried) } }));
  const ended = (carried: Carried<object>) =>
    carriedOn(left({ workflowExecutionCompletedEventAttributes: { result: payloads(carried) } }));

  test.each([
    ['carried on', continued],
    ['ended with', ended],
  ])('begins a run with what an older one %s', async (_name, of) => {
    const carried = of(older.carry(state));
    if (carried === undefined) throw new Error('expected something to be carried');
    expect(await begunWith(carried, today.upgrade)).toMatchObject({ uid: 'pay-1', submissions: 1 });
  });

  test('fails here where its upgrade was forgotten', async () => {
    const carried = continued(older.carry(state));
    if (carried === undefined) throw new Error('expected something to be carried');
    await expect(begunWith(carried, older.upgrade)).rejects.toThrow(TypeError);
  });

  test('and nothing is asked of a run that was open, or that keeps nothing', () => {
    expect(carriedOn(left({ workflowExecutionSignaledEventAttributes: {} }))).toBeUndefined();
    expect(carriedOn(left({ workflowExecutionCompletedEventAttributes: {} }))).toBeUndefined();
  });
});

describe('the histories that replay on the code of today', () => {
  test('are those of what is not released, from the first change after a release', () => {
    expect(ofToday(['1.0.0', 'unreleased', '1.1.0'])).toBe('unreleased');
  });

  test('are those of the newest release before that', () => {
    expect(ofToday(['v1.9.0', 'v1.10.0', 'v1.2.11'])).toBe('v1.10.0');
    expect(newestOf([])).toBeUndefined();
  });

  test('are of a release whose name says how new it is', () => {
    expect(() => newestOf(['autumn'])).toThrow('expected a release to be named as v1.2.0 is, not autumn');
  });
});
