import { expect, test } from 'vitest';
import { agreementAnswer } from '../../../api/routes/agreement/answer.schema.js';
import { paymentAnswer } from '../../../api/routes/payment/answer.schema.js';
import { refundAnswer } from '../../../api/routes/refund/answer.schema.js';
import { entryAnswer } from '../../../api/routes/timeline/answer.schema.js';
import { UNKNOWN_CODE_NEXT, adviceOn } from '../../../domain/provider/reason-codes.js';
import {
  aPaymentView,
  aRefundView,
  anAgreementView,
  anEntryOf as anEntry,
} from '../../support/api/builders.js';

const CODES = ['AM04', 'MSUC', 'NOAS', 'MD16'];
const UI = { url: undefined, namespace: 'default' };

test.each(CODES)('every resource with the failure code %s shows its advice', (code) => {
  const { next, payer = null } = adviceOn({ code });
  const answered = { code, next, payer_message: payer };
  const failure = { code };
  const attempt = { n: 1, startedAt: '2026-10-01T02:00:00.000Z', state: 'failed', failure } as const;
  const payment = aPaymentView({ state: 'failed', failure, attempts: [attempt] });
  expect(paymentAnswer(UI, payment)).toMatchObject({ failure: answered, attempts: [{ failure: answered }] });
  expect(refundAnswer(UI, aRefundView({ state: 'failed', failure }))).toMatchObject({ failure: answered });
  const action = { key: 'k', kind: 'suspension', stage: 'failed', requestedAt: attempt.startedAt } as const;
  const agreement = anAgreementView({
    state: 'declined',
    stateReason: failure,
    actions: [{ ...action, failure }],
  });
  expect(agreementAnswer(UI, agreement)).toMatchObject({
    state_reason: answered,
    actions: [{ failure: answered }],
  });
  expect(entryAnswer('agreement', anEntry({ reason: failure }))).toMatchObject({
    fact: { reason: answered },
  });
});

test('an unknown code is returned unchanged, with advice on whom to contact', () => {
  const { failure } = paymentAnswer(UI, aPaymentView({ state: 'failed', failure: { code: 'QQ77' } }));
  expect(failure).toMatchObject({ code: 'QQ77', next: UNKNOWN_CODE_NEXT, payer_message: null });
});

test('a payment shows its debtor, its awaiting field, the deadline and the next step', () => {
  const until = '2026-10-01T12:59:59.999Z';
  const awaiting = { what: 'stop', since: '2026-10-01T02:00:00.000Z', until } as const;
  const answer = paymentAnswer(UI, aPaymentView({ awaiting, debtor: { party_name: 'Sam' } }));
  expect(answer).toMatchObject({ debtor: { party_name: 'Sam' }, awaiting });
  expect(answer.awaiting.next).toContain('once no stop is left');
  const refund = refundAnswer(UI, aRefundView({ awaiting }));
  expect(refund.awaiting.next).toMatch(/A payment that is still unsent .* lapses; a refund does not lapse/);
});

test('each judgement of a payment shows the submission from which it applied', () => {
  const judgement = { attempt: 1, submission: 2, at: '2026-10-01T02:00:00.000Z', state: 'active' } as const;
  const terms = { max_amount: 25_000 };
  const view = aPaymentView({ judgements: [{ ...judgement, terms }] });
  const { judgements } = paymentAnswer(UI, view);
  expect(judgements).toEqual([
    { attempt: 1, from_submission: 2, at: judgement.at, agreement_state: 'active', terms },
  ]);
  expect(paymentAnswer(UI, aPaymentView()).judgements).toEqual([]);
});
