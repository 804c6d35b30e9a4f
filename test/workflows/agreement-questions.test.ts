// What a look can say of the questions that are open: nothing of those that came up only while it was made.
import { describe, expect, test } from 'vitest';
import { agreementFact } from '../../workflows/agreement/contract.js';
import { newAgreement, openQuestions, withFact, withLook } from '../../workflows/agreement/state.js';
import { nextStep } from '../../workflows/agreement/next.js';
import { allHold } from '../../workflows/entity/rules.js';
import { aFact } from '../domain/facts.js';
import { eventually, useTemporal } from '../support/temporal.js';
import { A_MANDATE, agreementLook, only } from './provider.js';
import { startAgreement, untilAgreement } from './starting.js';
import type { Activities } from '../../activities/index.js';
import type { Fact } from '../../domain/fact.js';

const temporal = useTemporal();
const NOW = '2026-11-01T00:00:00.000Z';
const fresh = newAgreement({ uid: 'agr', connectionId: 'acme', mandate: A_MANDATE }, NOW);
const made = withLook(fresh, { ...agreementLook('agr', 'created'), lookedAt: NOW });
const active = withFact(made, aFact('activated'));

/** A look that begins now, and meanwhile something is told that it cannot know of. */
function overtaken(record: typeof active, told: Fact, shown = 'active', holds = allHold) {
  const look = agreementLook('agr', shown, record.facts);
  return withLook(withFact(record, told), look, holds, openQuestions(record));
}

describe('a look that is overtaken by what nobody knows', () => {
  const strange = aFact('levitated');
  const asked = withFact(active, strange);

  test('answers what was asked of it, and leaves the rest to the next one, which is made at once', () => {
    const late = aFact('levitated');
    const seen = overtaken(asked, late);
    expect(openQuestions(seen)).toEqual([late.id]);
    expect(nextStep(seen)).toEqual({ do: 'look_up', doubts: 0 });
  });

  test('again and again is never held to have been made in vain', () => {
    const seen = Array.from({ length: 20 }, () => aFact('levitated')).reduce((record, late) => overtaken(record, late), asked);
    expect(openQuestions(seen)).toHaveLength(1);
    expect(seen.doubts).toBe(0);
  });

  test('is made in vain, where it does not explain what had been there before', () => {
    const seen = withLook(asked, agreementLook('agr', 'active'), allHold, openQuestions(asked));
    expect(nextStep(seen)).toEqual({ do: 'look_up', doubts: 1 });
  });

  test('settles a disagreement about the state, and not what came meanwhile', () => {
    const late = aFact('levitated');
    const seen = overtaken(asked, late, 'cancelled');
    expect(seen.facts.at(-1)).toMatchObject({ type: 'observed', state: 'cancelled' });
    expect(openQuestions(seen)).toEqual([late.id]);
    expect(nextStep(seen).do).toBe('look_up');
  });

  test('counts as one in vain in a run that began before that rule', () => {
    expect(overtaken(asked, aFact('levitated'), 'active', () => false).doubts).toBe(1);
  });
}); // prettier-ignore

test('a stream of events that nobody knows has the provider asked once for each at the most, and without a pause', async () => {
  const told: Fact[] = [aFact('activated')];
  let looks = 0;
  let tellNext: () => Promise<unknown> = () => Promise.resolve();
  const lookUpAgreement: Activities['lookUpAgreement'] = async ({ uid }) => {
    looks += 1;
    const look = agreementLook(uid, 'active', [...told]);
    if (told.length < 8) await tellNext();
    return look;
  };
  const createAgreement: Activities['createAgreement'] = ({ uid }) =>
    Promise.resolve(agreementLook(uid, 'created'));
  await temporal.run(only({ createAgreement, lookUpAgreement }), async () => {
    const handle = await startAgreement(temporal);
    await handle.signal(agreementFact, told[0] ?? aFact('activated'));
    await untilAgreement(handle, ({ state, awaiting }) => state === 'active' && awaiting.what === 'nothing');
    tellNext = async () => {
      told.push(aFact('levitated'));
      await handle.signal(agreementFact, told.at(-1) ?? aFact('levitated'));
      await untilAgreement(handle, ({ factCount }) => factCount >= told.length);
    };
    await tellNext();
    await eventually(() => Promise.resolve(told.length), (length) => length === 8); // prettier-ignore
    await untilAgreement(handle, ({ awaiting }) => awaiting.what === 'nothing');
    const { events } = await handle.fetchHistory();
    const pauses = (events ?? []).filter(({ timerStartedEventAttributes }) => timerStartedEventAttributes);
    expect(pauses).toEqual([]);
    expect(looks).toBeLessThanOrEqual(8);
  });
});
