import { describe, expect, test } from 'vitest';
import {
  compare,
  differenceOf,
  isReadable,
  newReport,
  differencesIn,
  addFinding,
  addMissing,
  type Difference,
  type Tracked,
} from '../../../domain/sweep/comparison.js';
import { AGREEMENTS } from '../../../domain/agreement/lifecycle.js';
import { PAYMENTS } from '../../../domain/payment/lifecycle.js';
import { REFUNDS } from '../../../domain/refund/lifecycle.js';

const WHEN = '2026-01-01T00:00:00.000Z';
const there = (state: string, uid = 'agr-1') => ({ uid, state });
const here = (state: string, over: Partial<Tracked> = {}): Tracked => ({
  uid: 'agr-1',
  state,
  isOpen: true,
  connectionId: 'acme',
  ...over,
});
const ended = (state: string): Tracked => here(state, { isOpen: false });

describe('sweep of a listed agreement', () => {
  test.each([
    ['active', here('active'), 'equal'],
    ['pending', here('pending'), 'equal'],
    ['suspended', here('active'), 'differing'],
    ['cancelled', here('active'), 'differing'],
    ['created', here('active'), 'differing'],
    ['frozen', here('active'), 'differing'],
    ['active', here('active', { connectionId: undefined }), 'equal'],
    ['active', here('suspended', { connectionId: 'other' }), 'elsewhere'],
    ['cancelled', ended('cancelled'), 'equal'],
    ['active', ended('cancelled'), 'differing'],
    ['active', ended('failed'), 'differing'],
    ['expired', ended('cancelled'), 'differing'],
    ['active', ended('unknown'), 'differing'],
    ['cancelled', ended('unknown'), 'differing'],
    ['active', ended('active'), 'dropped'],
    ['suspended', ended('active'), 'differing'],
    ['active', undefined, 'unknown'],
    ['pending', undefined, 'unknown'],
    ['frozen', undefined, 'unknown'],
    ['cancelled', undefined, 'over'],
    ['declined', undefined, 'over'],
    ['expired', undefined, 'over'],
    ['failed', undefined, 'over'],
  ] as const)('provider state %s compared with our state %o is %s', (state, tracked, finding) => {
    expect(compare(AGREEMENTS, there(state), tracked, 'acme')).toBe(finding);
  });

  test.each([
    ['', 'active'],
    ['.', 'active'],
    ['..', 'active'],
    ["a' OR WorkflowType = 'connection", 'active'],
    ['a/b', 'active'],
    ['a'.repeat(65), 'active'],
    ['agr-1', ''],
    ['agr-1', 'unknown'],
    ['agr-1', 'a'.repeat(41)],
    ['agr-1', 'two words'],
    ['agr-1\n', 'active'],
  ])('%j in state %j is unreadable', (uid, state) => {
    expect(isReadable({ uid, state })).toBe(false);
    expect(compare(AGREEMENTS, { uid, state }, here('active', { uid }), 'acme')).toBe('unreadable');
  });

  test.each(['a', '...', 'A_z~0.-', 'constructor', '__proto__', 'a'.repeat(64)])('%s is a uid', (uid) => {
    expect(isReadable({ uid, state: 'active' })).toBe(true);
  });
});

test.each([
  ['settled', here('pending'), 'differing'],
  ['failed', here('requested'), 'differing'],
  ['settled', ended('failed'), 'differing'],
  ['settled', ended('lapsed'), 'differing'],
  ['pending', ended('failed'), 'differing'],
  ['pending', here('settled'), 'differing'],
  ['frozen', here('pending'), 'differing'],
  ['submitting', here('requested'), 'equal'],
  ['pending', here('created'), 'equal'],
  ['settled', ended('settled'), 'equal'],
  ['pending', ended('submitting'), 'dropped'],
  ['pending', undefined, 'unknown'],
  ['settled', undefined, 'over'],
  ['settled', here('pending', { connectionId: 'other' }), 'elsewhere'],
] as const)('a payment in provider state %s compared with our state %o is %s', (state, tracked, finding) => {
  expect(compare(PAYMENTS, there(state), tracked, 'acme')).toBe(finding);
});

test.each([
  ['processed', here('processing'), 'differing'],
  ['processed', ended('failed'), 'differing'],
  ['failed', ended('unresolved'), 'differing'],
  ['processing', here('requested'), 'equal'],
  ['created', here('processing'), 'equal'],
  ['processed', ended('processed'), 'equal'],
  ['processing', ended('processing'), 'dropped'],
  ['created', undefined, 'unknown'],
  ['failed', undefined, 'over'],
] as const)('a refund in provider state %s compared with our state %o is %s', (state, tracked, finding) => {
  expect(compare(REFUNDS, there(state), tracked, 'acme')).toBe(finding);
});

describe('sweep difference', () => {
  const remembered = (difference: Difference) => new Map([[difference.uid, difference]]);

  test('is signalled in three sweeps and then only counted', () => {
    let before = new Map<string, Difference>();
    const findings: string[] = [];
    for (let sweep = 0; sweep < 6; sweep += 1) {
      const { finding, difference } = differenceOf(there('active'), ended('cancelled'), before);
      findings.push(finding);
      before = remembered(difference);
    }
    expect(findings).toEqual(['differing', 'differing', 'differing', 'unsettled', 'unsettled', 'unsettled']);
  });

  test.each([
    ['at the provider', there('suspended'), ended('cancelled')],
    ['in our state', there('active'), here('suspended')],
  ])('starts a new count when the state %s changes', (_where, theirs, tracked) => {
    const difference = { uid: 'agr-1', here: 'cancelled', there: 'active', times: 3 };
    expect(differenceOf(theirs, tracked, remembered(difference))).toMatchObject({
      finding: 'differing',
      difference: { times: 1 },
    });
  });

  test('is remembered for a uid named `__proto__`', () => {
    const { difference } = differenceOf(
      there('active', '__proto__'),
      here('suspended', { uid: '__proto__' }),
      new Map(),
    );
    const report = addFinding(newReport('acme', WHEN), 'differing', '__proto__', difference);
    const next: unknown = JSON.parse(JSON.stringify(report));
    expect(differencesIn({ reports: { agreement: next } }, 'agreement')).toEqual([
      { uid: '__proto__', here: 'suspended', there: 'active', times: 1 },
    ]);
  });
});

test.each([
  [undefined],
  [null],
  ['text'],
  [{}],
  [{ differences: 'x' }],
  [{ differences: [null, 1, {}, { uid: 'a' }] }],
])('no differences are read from %j', (result) => {
  expect(differencesIn({ reports: { agreement: result } }, 'agreement')).toEqual([]);
});

describe('sweep report', () => {
  test('counts all findings, lists a hundred of each kind and stays small', () => {
    let report = newReport('acme', WHEN);
    const uids = Array.from({ length: 5000 }, (_, index) => `${index}`.padStart(64, 'a'));
    for (const uid of uids) {
      const difference = { uid, here: 'active', there: 'a'.repeat(40), times: 1 };
      report = addFinding(report, 'differing', uid, difference);
    }
    for (const uid of uids) report = addMissing(report, uid);
    expect(report).toMatchObject({ listed: 5000, differing: 5000, missingThere: 5000 });
    expect(report.named).toEqual({ differing: uids.slice(0, 100), missingThere: uids.slice(0, 100) });
    expect(report.differences).toHaveLength(1000);
    expect(JSON.stringify(report).length).toBeLessThan(256 * 1024);
  });
});
