import { expect, test } from 'vitest';
import { sameOrRefused } from '../../../api/gateway/agreements.js';
import { aMandate, anAgreementView } from '../../support/api/builders.js';
import type { AgreementView } from '../../../workflows/agreement/contract.js';

const ASKED = { uid: 'agr-1', connection: 'other', mandate: aMandate() };
const adopted = (over: Partial<AgreementView>) =>
  anAgreementView({
    adopted: true,
    requestedMandate: undefined,
    mandate: undefined,
    connectionId: undefined,
    ...over,
  });
const verdictOn = (found: AgreementView) => {
  try {
    return sameOrRefused(ASKED, found);
  } catch (error) {
    return error;
  }
};

test.each<[string, Partial<AgreementView>]>([
  ['without a completed look-up', {}],
  ['on a connection guessed from an event', { state: 'active', connectionId: 'acme' }],
])('a repeat for an adopted agreement %s is refused with look_up_pending', (_, over) => {
  expect(verdictOn(adopted(over))).toMatchObject({ code: 'look_up_pending' });
});

test('a repeat for an adopted agreement is compared with the terms after the look-up', () => {
  const found = adopted({ state: 'active', mandate: aMandate(), connectionId: 'other' });
  expect(verdictOn(found)).toBe(found);
  for (const over of [{ connectionId: 'acme' }, { mandate: { ...aMandate(), purpose: 'retail' } }])
    expect(verdictOn({ ...found, ...over })).toMatchObject({ code: 'idempotency_conflict' });
  expect(verdictOn(adopted({ state: 'unknown' }))).toMatchObject({ code: 'idempotency_conflict' });
});
