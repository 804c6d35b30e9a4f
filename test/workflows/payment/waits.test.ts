// What a payment waits for in each of its states, and until when where that is known.
import { expect, test } from 'vitest';
import {
  opened,
  withNothingSent,
  withPause,
  withUnknownOutcome,
} from '../../../workflows/entity/submission.js';
import { withBlock } from '../../../workflows/entity/blocked.js';
import { PAYMENT_LIFE } from '../../../domain/payment.js';
import { wants } from '../../../workflows/payment/next.js';
import { newPayment, waitsUntil, withFact } from '../../../workflows/payment/state.js';
import { PAYMENT } from '../../../workflows/payment/steps.js';
import { aFact } from '../../support/facts.js';
import { anOrder } from '../../support/workflows/provider.js';
import type { AwaitingWhat } from '../../../domain/legible.js';
import type { CallFailure } from '../../../workflows/entity/failure.js';
import type { State } from '../../../workflows/payment/state.js';

// Noon in Sydney.
const NOW = '2026-11-02T01:00:00.000Z';
const END_OF_DAY = '2026-11-02T12:59:59.999Z';
const begun = newPayment(
  {
    uid: 'pay-1',
    connectionId: 'acme',
    order: anOrder('agr-1'),
    handling: { retry: { attempts: 1, everySeconds: 60 } },
  },
  NOW,
);
const there: State = { ...opened(begun), isLookUpDue: false };
const became = (type: string, failure?: Record<string, string | boolean>): State => {
  const fact = aFact(type, {
    publishedAt: NOW,
    receivedAt: NOW,
    ...(failure && { detail: { failure } }),
  });
  const state = withFact(there, fact);
  return { ...state, isLookUpDue: false, examined: [fact.id] };
};
const queued: CallFailure = { code: 'queued', providerCodes: [], retryAfterMs: 7000 };
const noConsent: CallFailure = { code: 'needs_reauthorisation', providerCodes: [] };
const stopped = withPause(begun, NOW, { code: 'stopped', providerCodes: [] });
const refund = { uid: 'ref-1', amount: 1, requestedAt: NOW, outcome: 'under_way', outcomeAt: NOW } as const;

test.each<[string, State, AwaitingWhat, string | undefined]>([
  ['about to be sent', begun, 'provider-acceptance', undefined],
  ['waiting for its turn', withPause(begun, NOW, queued), 'provider-acceptance', '2026-11-02T01:00:07.000Z'],
  ['kept back by a stop', stopped, 'stop', END_OF_DAY],
  ['without consent', { ...begun, ...withBlock(begun, noConsent, NOW) }, 'reauthorisation', END_OF_DAY],
  ['asking its agreement', { ...withNothingSent(begun, NOW), isAsking: 'asked' }, 'agreement', END_OF_DAY],
  [
    'sent without an answer',
    withUnknownOutcome(PAYMENT_LIFE, begun, NOW, 'payment'),
    'submission-outcome',
    undefined,
  ],
  ['taken', there, 'settlement', undefined],
  ['under investigation', became('under_investigation'), 'settlement', undefined],
  [
    'failed, to be tried again',
    became('failed', { code: 'AM04', retryable: true }),
    'retry',
    '2026-11-02T01:01:00.000Z',
  ],
  ['paid back', { ...became('settled'), refunds: [refund] }, 'refund', undefined],
  [
    'parked',
    { ...begun, isLookUpDue: false, submission: { ...begun.submission, stage: 'parked' } },
    'operator',
    undefined,
  ],
])('%s', (_what, state, what, until) => {
  const [first] = wants(state);
  if (first === undefined) throw new Error('expected a step');
  expect([PAYMENT.rules[first.do].awaiting, waitsUntil(state, first)]).toEqual([what, until]);
});
