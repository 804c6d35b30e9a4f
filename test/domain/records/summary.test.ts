import { describe, expect, test } from 'vitest';
import { AGREEMENT_EVENTS } from '../../../domain/agreement/events.js';
import { LOCAL_FACTS } from '../../../domain/agreement/local-facts.js';
import { summaryOf, type Summarised } from '../../../domain/records/summary.js';
import { RESOURCES, RESOURCE_NAMES, type ResourceName } from '../../../domain/resources.js';
import { COMMAND_KINDS, STEP_STATES } from '../../../domain/onboarding/steps.js';
import { CHANGE_STAGES } from '../../../domain/client/lifecycle.js';
import { COUNTERPARTY_CHANGES } from '../../../domain/counterparty/lifecycle.js';
import { ATTENTION_CODES } from '../../../domain/attention/flags.js';
import type { Stage } from '../../../workflows/resource/state.js';

const summary = (resource: ResourceName, kind: Summarised['kind'], name: string, data: object = {}) =>
  summaryOf(resource, { kind, name, data });
/** Ids are always there. */
const LEAST = { uid: 'u-1', entryId: 'e-1', step: 'client', part: 'client' };
/** What an entry gets that has no sentence. */
const FALLBACK = /was recorded for|published the event/;

const STAGES: Record<Stage, true> = {
  ...{ ready: true, sending: true, sent: true, open: true, parked: true, adopting: true, unknown: true },
};
const OF_RESOURCES = Object.keys(STAGES).map((stage) => `submission_${stage}`);
const COMMANDS: Partial<Record<ResourceName, readonly string[]>> = {
  payment: ['withdrawal'],
  stop: ['stop', 'resumption'],
  notification: ['acknowledged'],
  'float-account': ['acknowledged', 'reading_requested'],
  'unmatched-credit': ['resolution'],
  connection: ['consent_requested', 'consent_answered'],
  counterparty: COUNTERPARTY_CHANGES,
  client: CHANGE_STAGES.map((stage) => `change_${stage}`),
  onboarding: COMMAND_KINDS,
  batch: ['pause', 'resumption', 'abandonment'],
};
const ACCOUNTS =
  'unchecked match close_match no_match account_closed account_unusable resolved alias_unknown evidence unconfirmed limit unanswered refused undecided';
const DECISIONS: Partial<Record<ResourceName, readonly string[]>> = {
  agreement: ['payment_admitted', 'terms_changed', 'planned_payment_requested', 'planned_payment_skipped'],
  payment: ['payment_judged', 'refund_admitted', 'refund_counted'],
  'float-account': ['chain_broken', 'chain_mended', 'chain_whole', 'entry_gone'],
  'unmatched-credit': ['entry_found', 'joined'],
  connection: ['tokens_stored', 'tokens_deleted'],
  counterparty: ACCOUNTS.split(' ').map((outcome) => `account_${outcome}`),
  onboarding: [...STEP_STATES.map((state) => `step_${state}`), 'left_behind'],
};
const factsOf = (resource: ResourceName): string[] => {
  const row: (typeof RESOURCES)[ResourceName] = RESOURCES[resource];
  if (!('provider' in row)) return [];
  const { moves, still, needsLookUp } = row.provider.lifecycle;
  const tables: readonly object[] = Object.values(moves);
  const moving = tables.flatMap((events) => Object.keys(events));
  return [...new Set([...moving, ...still, ...needsLookUp, 'observed'])];
};

describe.each(RESOURCE_NAMES)('the summary of an entry of %s', (resource) => {
  const kinds: readonly (readonly [Summarised['kind'], readonly string[]])[] = [
    [
      'fact',
      [
        ...factsOf(resource),
        ...(resource === 'agreement' ? Object.keys({ ...AGREEMENT_EVENTS, ...LOCAL_FACTS }) : []),
      ],
    ],
    ['command', [...(COMMANDS[resource] ?? []), 'erased']],
    [
      'decision',
      [
        ...(DECISIONS[resource] ?? []),
        ...('provider' in RESOURCES[resource] ? [...OF_RESOURCES, 'followed'] : []),
      ],
    ],
    ['attention', ATTENTION_CODES],
    ['state', ['requested', 'active', 'under_investigation']],
  ];

  test.each(kinds)('is a sentence for each %s, with the least data', (kind, names) => {
    for (const name of names) {
      const sentence = summary(resource, kind, name, LEAST);
      expect(sentence).toMatch(/^[A-Z].*\.$/);
      expect(sentence, name).not.toMatch(FALLBACK);
      expect(sentence).not.toMatch(/undefined|\{noun\}|null| {2}| \./);
    }
  });
});

test('a summary has the reason, who caused it, and money', () => {
  const reason = { code: 'AM04', title: 'Insufficient Funds' };
  expect(summary('payment', 'fact', 'failed', { reason })).toBe(
    'The payment failed: Insufficient Funds (AM04).',
  );
  expect(summary('agreement', 'fact', 'cancelled', { causedBy: 'payer' })).toBe(
    'The agreement was cancelled by the payer.',
  );
  expect(summary('agreement', 'decision', 'payment_admitted', { uid: 'pay-1', amount: 4205 })).toBe(
    'Payment pay-1 of $42.05 was admitted under the agreement.',
  );
  expect(summary('stop', 'command', 'stop', { by: 'ops', reason: 'wrong', connectionId: 'acme' })).toBe(
    'ops stopped the payments of connection acme: “wrong”.',
  );
  expect(summary('payment', 'state', 'under_investigation', { from: 'pending' })).toBe(
    'The payment is now under investigation.',
  );
});

test('a fact of our own is a command with the id of its fact', () => {
  const detail = { code: 'parked', by: 'ops', decision: 'close' };
  const data = { detail, reason: { narrative: 'case 5' } };
  expect(
    summaryOf('payment', { kind: 'command', name: 'attention_resolved', factId: 'command/1', data }),
  ).toBe('ops resolved the flag parked with the decision close: “case 5”.');
});

test('a summary of a raised flag has what to do, and an unproven event is marked', () => {
  const flag = { code: 'parked', detail: 'No answer.', next: 'Compare.', isRaised: true };
  expect(summary('payment', 'attention', 'parked', flag)).toBe(
    'The flag parked was raised. No answer. What to do: Compare.',
  );
  expect(summary('payment', 'attention', 'parked', { ...flag, isRaised: false })).toBe(
    'The flag parked was lowered.',
  );
  expect(summary('payment', 'fact', 'settled', { authenticated: false })).toMatch(/Nothing proves/);
});

test('a submission that waits has its cause', () => {
  const ready = (data: object) => summary('payment', 'decision', 'submission_ready', data);
  expect(ready({})).toBe('The worker will send the payment to the provider.');
  expect(ready({ hasWaited: true, isStopped: true })).toMatch(/because payments are stopped/);
  expect(ready({ hasWaited: true, notBefore: '2026-11-29T14:00:00Z' })).toMatch(/again after a pause/);
});

test('an entry of a later release still has a sentence', () => {
  expect(summary('payment', 'decision', 'tip_added')).toBe('Tip added was recorded for the payment.');
  expect(summary('payment', 'fact', 'tipped')).toBe(
    'The provider published the event tipped about the payment.',
  );
});
