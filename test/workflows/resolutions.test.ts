// An operator's word on a flag: taken once, however often it comes and however many runs the workflow has had since.
import { defaultPayloadConverter } from '@temporalio/common';
import { describe, expect, test } from 'vitest';
import {
  agreementFact, getTimeline, lookUpNow, resolveAttention,
} from '../../workflows/agreement/contract.js'; // prettier-ignore
import { assertResolvable, withResolution } from '../../workflows/agreement/attention.js';
import {
  carriedAgreement, carriedOn, newAgreement, withFact, withLook,
} from '../../workflows/agreement/state.js'; // prettier-ignore
import { flag } from '../../workflows/entity/state.js';
import { aFact } from '../domain/facts.js';
import { useTemporal } from '../support/temporal.js';
import { A_MANDATE, agreementLook, failure, only, refusalIn } from './provider.js';
import { newestOf, runsOf } from './runs.js';
import { startAgreement, untilAgreement } from './starting.js';
import type { AgreementRecord } from '../../workflows/agreement/state.js';
import type { AttentionResolution } from '../../domain/resolution.js';

const NOW = '2026-11-01T00:00:00.000Z';
const WORD: AttentionResolution = { key: 'word-1', code: 'conflict', reason: 'mended there', by: 'ops' };
const flagged = (record: AgreementRecord): AgreementRecord =>
  flag(record, 'conflict', NOW, { detail: 'they differ', next: 'compare' });
const active = withFact(
  withLook(newAgreement({ uid: 'agr', mandate: A_MANDATE }, NOW), {
    ...agreementLook('agr', 'created'),
    lookedAt: NOW,
  }),
  aFact('activated'),
);
const resolved = withResolution(flagged(active), WORD, NOW);

/** What a later run is given after so many events, as Temporal carries it. */
function carried(record: AgreementRecord, events: number): AgreementRecord {
  const full = Array.from({ length: events }, () => aFact('amendment_declined')).reduce(
    (known, fact) => withFact(known, fact),
    record,
  );
  return carriedOn(
    defaultPayloadConverter.fromPayload(defaultPayloadConverter.toPayload(carriedAgreement(full))),
  );
}

const codeOf = (record: AgreementRecord, word: AttentionResolution): unknown => {
  try {
    assertResolvable(record, word);
    return 'taken';
  } catch (error) {
    return Reflect.get(Object(error), 'type');
  }
};

describe('a word with a key', () => {
  test('that comes again lowers no flag that was raised since, and adds nothing to the timeline', () => {
    expect(resolved.attention).toEqual([]);
    const raisedAgain = flagged(resolved);
    expect(codeOf(raisedAgain, WORD)).toBe('taken');
    expect(withResolution(raisedAgain, WORD, NOW)).toBe(raisedAgain);
    expect(withResolution(raisedAgain, { ...WORD, key: 'word-2' }, NOW).attention).toEqual([]);
  });

  test.each([
    ['another flag', { code: 'overdue' }],
    ['another reason', { reason: 'something else' }],
  ] as const)('is a conflict for %s, whether that stands or not', (_what, over) => {
    for (const record of [resolved, flag(flagged(resolved), 'overdue', NOW, { detail: '', next: '' })])
      expect(codeOf(record, { ...WORD, ...over })).toBe('resolution_key_conflict');
  });

  test('is the same from another of our API keys', () => {
    expect(codeOf(resolved, { ...WORD, by: 'somebody else' })).toBe('taken');
  });

  test('is known while its fact is kept, and by its id for as long as that is', () => {
    const inFull = carried(resolved, 100);
    expect(codeOf(inFull, WORD)).toBe('taken');
    expect(codeOf(inFull, { ...WORD, reason: 'something else' })).toBe('resolution_key_conflict');
    const byId = carried(resolved, 400);
    expect(byId.facts.some(({ type }) => type === 'attention_resolved')).toBe(false);
    const raisedAgain = flagged(byId);
    expect(codeOf(raisedAgain, WORD)).toBe('taken');
    expect(withResolution(raisedAgain, WORD, NOW)).toBe(raisedAgain);
  });
});

test('a word without a key, as they were said before, is one of its own each time', () => {
  const unkeyed = { ...WORD, key: undefined };
  const once = withResolution(flagged(active), unkeyed, NOW);
  expect(once.facts.at(-1)?.id).toBe(`resolution/conflict%2F${NOW}`);
  expect(codeOf(once, unkeyed)).toBe('no_such_attention');
  const twice = withResolution(flagged(once), unkeyed, '2026-11-02T00:00:00.000Z');
  expect(twice.facts).toHaveLength(once.facts.length + 1);
});

const temporal = useTemporal();

test('a repeat is let through in later runs, and leaves the flag that stands there', async () => {
  const refusing = only({
    createAgreement: ({ uid }) => Promise.resolve(agreementLook(uid, 'active')),
    lookUpAgreement: () => Promise.reject(failure('rejected', ['X'])),
  });
  await temporal.run(refusing, async () => {
    const first = await startAgreement(temporal);
    const { runId } = await first.describe();
    const handle = newestOf(temporal.client, first.uid);
    const say = (word: AttentionResolution) => handle.executeUpdate(resolveAttention, { args: [word] });
    const isFlagged = () => untilAgreement(handle, ({ attention }) => attention.length > 0);
    await untilAgreement(handle, ({ state }) => state === 'active');
    await handle.executeUpdate(lookUpNow);
    const { attention: before } = await isFlagged();
    await say(WORD);
    // The provider refuses again, so the flag is raised again: another one.
    const { attention } = await untilAgreement(handle, (view) => view.attention[0]?.since !== before[0]?.since && view.attention.length > 0); // prettier-ignore
    for (let sent = 0; sent < 600; sent += 50) {
      await Promise.all(
        Array.from({ length: 50 }, () =>
          handle.signal(
            agreementFact,
            aFact('amendment_declined', { publishedAt: new Date().toISOString() }),
          ),
        ),
      );
      await untilAgreement(handle, ({ factCount }) => factCount > sent);
    }
    await untilAgreement(handle, ({ factCount }) => factCount > 600);
    expect((await runsOf(temporal.client, first.uid, runId)).length).toBeGreaterThanOrEqual(2);
    await say(WORD);
    expect((await isFlagged()).attention).toEqual(attention);
    const { facts, olderCount } = await handle.query(getTimeline);
    expect(olderCount).toBeGreaterThan(0);
    expect(facts.filter(({ type }) => type === 'attention_resolved').length).toBeLessThanOrEqual(1);
    const other = await say({ ...WORD, key: 'word-2', code: 'overdue' }).catch(refusalIn);
    expect(other).toBe('no_such_attention');
    await first.terminate();
  });
});
