import { describe, expect, test } from 'vitest';
import { resolveFlag } from '../../../workflows/agreement/attention.js';
import { validateResolution } from '../../../workflows/resource/attention.js';
import { stateToCarry, type AgreementState } from '../../../workflows/agreement/state.js';
import { raiseFlag } from '../../../workflows/engine/flags.js';
import { parkDifference } from '../../../workflows/resource/submission/state.js';
import { aFact } from '../../support/facts.js';
import { NOW, active, next, some, received, shown } from '../../support/workflows/agreement-states.js';
import { failure, fetchedAgreement, nothingNew, refusalIn } from '../../support/workflows/provider.js';
import { overJson } from '../../support/virtual-runs.js';
import { DAY, inVirtualTime } from '../../support/workflows/virtual.js';
import type { AttentionResolution } from '../../../domain/attention/resolution.js';

const RESOLUTION: AttentionResolution = {
  key: 'word-1',
  code: 'conflict',
  reason: 'mended there',
  by: 'ops',
};
const flagged = (state: AgreementState): AgreementState =>
  raiseFlag(state, 'conflict', NOW, { detail: 'they differ', next: 'compare' });
const resolved = resolveFlag(flagged(active), RESOLUTION, NOW);
const carried = (state: AgreementState, events: number): AgreementState =>
  overJson(stateToCarry(received(state, some(events, 'amendment_declined'))));

const codeOf = (state: AgreementState, resolution: AttentionResolution): unknown => {
  try {
    validateResolution(state, resolution);
    return 'taken';
  } catch (error) {
    return refusalIn(error);
  }
};

describe('resolution of an attention flag', () => {
  test('a repeated resolution does not clear a flag raised since and adds no fact', () => {
    expect(resolved.attention).toEqual([]);
    const raisedAgain = flagged(resolved);
    expect(codeOf(raisedAgain, RESOLUTION)).toBe('taken');
    expect(resolveFlag(raisedAgain, RESOLUTION, NOW)).toBe(raisedAgain);
    expect(resolveFlag(raisedAgain, { ...RESOLUTION, key: 'word-2' }, NOW).attention).toEqual([]);
  });

  test('refuses a flag that is not raised', () => {
    expect(codeOf(active, RESOLUTION)).toBe('no_such_attention');
  });

  test.each([
    ['a different flag', { code: 'overdue' }],
    ['a different reason', { reason: 'something else' }],
  ] as const)('refuses %s under the same key, even if that flag is raised', (_what, over) => {
    for (const state of [resolved, raiseFlag(flagged(resolved), 'overdue', NOW, { detail: '', next: '' })])
      expect(codeOf(state, { ...RESOLUTION, ...over })).toBe('resolution_key_conflict');
  });

  test('of a named time refuses the flag if it was raised again, and accepts a repeat', () => {
    const since = flagged(active).attention[0]?.since ?? '';
    expect(codeOf(flagged(active), { ...RESOLUTION, since })).toBe('taken');
    const before = '2026-01-01T00:00:00.000Z';
    expect(codeOf(flagged(active), { ...RESOLUTION, since: before })).toBe('no_such_attention');
    expect(codeOf(flagged(resolved), { ...RESOLUTION, since: before })).toBe('taken');
  });

  test('accepts a repeat from another of our API keys', () => {
    expect(codeOf(resolved, { ...RESOLUTION, by: 'another' })).toBe('taken');
  });

  test('recognises a repeat while its fact or the hash of its id is stored', () => {
    const inFull = carried(resolved, 100);
    expect(codeOf(inFull, RESOLUTION)).toBe('taken');
    expect(codeOf(inFull, { ...RESOLUTION, reason: 'something else' })).toBe('resolution_key_conflict');
    const byId = carried(resolved, 400);
    expect(byId.facts.some(({ type }) => type === 'attention_resolved')).toBe(false);
    const raisedAgain = flagged(byId);
    expect(codeOf(raisedAgain, RESOLUTION)).toBe('taken');
    expect(resolveFlag(raisedAgain, RESOLUTION, NOW)).toBe(raisedAgain);
  });
});

describe('parked agreement', () => {
  const different = parkDifference(active, NOW, 'agreement', ['purpose']);
  const park: AttentionResolution = { ...RESOLUTION, code: 'parked' };
  const absent = async () => {
    const scene = inVirtualTime({
      createAgreement: () => Promise.reject(failure('unavailable')),
      findAgreement: () => Promise.resolve(null),
    });
    const agr = await scene.agreement();
    await scene.pass(DAY);
    expect(agr.view().attention).toMatchObject([{ code: 'parked' }]);
    return { scene, agr };
  };

  test('requires a decision for the parked flag and refuses one for other flags', () => {
    expect(codeOf(different, park)).toBe('decision_needed');
    expect(codeOf(different, { ...park, decision: 'adopt' })).toBe('taken');
    expect(codeOf(flagged(active), { ...RESOLUTION, decision: 'close' })).toBe('decision_needed');
  });

  test('adopting a different resource takes over the terms at the provider', () => {
    const adopted = resolveFlag(different, { ...park, decision: 'adopt' }, NOW);
    expect(next(adopted)?.do).toBe('look_up');
    const other = fetchedAgreement('agr', 'active');
    const purpose = { ...other, snapshot: { ...other.snapshot, mandate: { purpose: 'other' } } };
    expect(shown(adopted, purpose)).toMatchObject({ attention: [], mandate: { purpose: 'other' } });
  });

  test('an absent agreement is looked up again after `adopt` and ends after `close`', async () => {
    const { agr, scene } = await absent();
    await agr.resolve({ ...park, key: 'word-2', decision: 'adopt' });
    expect(agr.view()).toMatchObject({ awaiting: { what: 'submission-outcome' }, attention: [] });
    await scene.pass(DAY);
    expect(agr.view().attention).toMatchObject([{ code: 'parked' }]);
    await agr.resolve({ ...park, decision: 'close' });
    expect(agr.isOver()).toBe(true);
    expect(agr.view()).toMatchObject({ state: 'failed', stateReason: { code: 'closed' }, attention: [] });
    expect(scene.calls.filter((name) => name === 'createAgreement')).toHaveLength(3);
  });
});

test('resolving a flag resumes the look-up and records the operator and reason in the timeline', async () => {
  let isMended = false;
  const scene = inVirtualTime({
    createAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'created')),
    lookUpAgreement: ({ uid }) =>
      isMended
        ? Promise.resolve(fetchedAgreement(uid, 'active'))
        : Promise.reject(failure('rejected', ['X'])),
    watchAgreement: () => Promise.reject(nothingNew('50h')),
  });
  const agr = await scene.agreement();
  await agr.receive(aFact('activated'));
  await agr.lookUpNow();
  isMended = true;
  await agr.resolve(RESOLUTION);
  expect(agr.view()).toMatchObject({ attention: [], awaiting: { what: 'nothing' } });
  expect(agr.timeline().facts.at(-1)).toMatchObject({
    type: 'attention_resolved',
    source: 'command',
    detail: { code: 'conflict', by: 'ops' },
    reason: { narrative: 'mended there' },
  });
});
