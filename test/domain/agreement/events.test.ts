import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { AGREEMENT_EVENTS, agreementEvent, type Cause } from '../../../domain/agreement/events.js';
import { AGREEMENT_LIFECYCLE } from '../../../domain/agreement/lifecycle.js';
import { fold } from '../../../domain/facts/fold.js';
import { LOCAL_FACTS } from '../../../domain/agreement/local-facts.js';
import { EVENTS } from '../../../tools/conform/events.js';
import { BODIES } from '../../support/payments-api/event-shapes.js';
import { aFact } from '../../support/facts.js';

const WHYS = ['reason', 'failure', 'changes'] as const;
const WHO = { debtor: 'payer', initiator: 'initiator', zepto_system: 'provider' } as const;
const Body = z.object({ anyOf: z.array(z.looseObject({ properties: z.looseObject({}).optional() })) });

const keysOf = (type: keyof typeof BODIES): string[] => {
  const { success, data } = Body.safeParse(z.toJSONSchema(BODIES[type]));
  return success ? data.anyOf.flatMap(({ properties = {} }) => Object.keys(properties)) : [];
};
const full = (type: string) =>
  Object.keys(BODIES).find((known): known is keyof typeof BODIES => known === `payto_agreement.${type}`);

describe.each(Object.keys(AGREEMENT_EVENTS))('%s', (type) => {
  const documented = full(type);
  const event = agreementEvent(type);
  if (documented === undefined || event === undefined) throw new Error(`expected ${type} to be documented`);

  test('reads its reason from the documented field', () => {
    const named = WHYS.filter((why) => keysOf(documented).includes(why));
    if (event.why === undefined) expect(named).toEqual([]);
    else expect(named).toContain(event.why);
  });

  test('allows every cause that the sandbox sends', () => {
    const by: readonly Cause[] = event.by;
    const causes = EVENTS[documented].flatMap(({ causedBy }) => (causedBy ? [WHO[causedBy]] : []));
    expect(by).toEqual(expect.arrayContaining(causes));
  });
});

describe('local facts', () => {
  test.each(Object.entries(LOCAL_FACTS))('%s causes no conflict and no look-up', (type, { source }) => {
    const facts = [aFact('activated'), aFact(type, { source, state: 'active' })];
    expect(fold(AGREEMENT_LIFECYCLE, 'created', facts)).toMatchObject({
      state: 'active',
      conflicts: [],
      unknown: [],
      needingLookUp: [],
      unconfirmed: [],
    });
  });

  test('have no name in common with provider events', () => {
    expect(Object.keys(LOCAL_FACTS).filter((type) => agreementEvent(type) !== undefined)).toEqual([]);
  });
});
