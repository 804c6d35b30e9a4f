// The words of a workflow's page say what to do about a code; the attributes of lists hold nothing of it.
import { expect, test } from 'vitest';
import { UNKNOWN_CODE_NEXT, adviceOn } from '../../../domain/reason-codes.js';
import { readableReason } from '../../../workflows/entity/publish.js';
import { newPayment, withFact } from '../../../workflows/payment/state.js';
import { published } from '../../../workflows/payment/view.js';
import { aFact } from '../../support/facts.js';
import { NOW } from '../../support/workflows/agreement-states.js';
import { anOrder } from '../../support/workflows/provider.js';

test('a failed payment’s page says what to try and what to say to the payer', () => {
  const state = newPayment({ uid: 'pay-1', connectionId: 'acme', order: anOrder('agr-1') }, NOW);
  const failed = withFact(state, aFact('failed', { detail: { failure: { code: 'AM04', retryable: true } } }));
  const { details, attributes } = published(failed);
  const { next, payer } = adviceOn({ code: 'AM04' });
  expect(details).toContain(`- AM04. ${next} To the payer: “${payer}”`);
  expect(JSON.stringify(attributes)).not.toContain('AM04');
});

test('of a code that is new it says whom to ask', () => {
  expect(readableReason({ code: 'QQ77', title: 'New' })).toBe(`QQ77: New. ${UNKNOWN_CODE_NEXT}`);
});
