import { expect, test } from 'vitest';
import { asRequested } from '../../../api/gateway/agreements.js';
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
    return asRequested(ASKED, found);
  } catch (error) {
    return error;
  }
};

test('a repeat for an adopted agreement is compared with the terms after the look-up', () => {
  const found = adopted({ state: 'active', mandate: aMandate(), connectionId: 'other' });
  expect(verdictOn(found)).toBe(found);
  for (const over of [{ connectionId: 'acme' }, { mandate: { ...aMandate(), purpose: 'retail' } }])
    expect(verdictOn({ ...found, ...over })).toMatchObject({ code: 'idempotency_conflict' });
  expect(verdictOn(adopted({ state: 'unknown' }))).toMatchObject({ code: 'idempotency_conflict' });
});
