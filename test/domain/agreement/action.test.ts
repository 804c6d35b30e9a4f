import { describe, expect, test } from 'vitest';
import {
  refusalOfAction,
  type Action,
  type ActionKind,
  type ActionCommand,
} from '../../../domain/agreement/action.js';
import { AGREEMENT_STATES } from '../../../domain/agreement/events.js';
import { isFinal } from '../../../domain/agreement/lifecycle.js';
import { actionsAtTheEnd, answeredActions, idsSince } from '../../../domain/agreement/action-outcome.js';
import { aFact } from '../../support/facts.js';
import type { Fact } from '../../../domain/facts/fact.js';

const BEFORE = '2026-10-31T00:00:00.000Z';
function asking(kind: ActionKind): ActionCommand {
  if (kind === 'amendment') return { kind, body: { changes: { description: 'New text' } } };
  if (kind === 'identification') return { kind, body: { initiator: { client_id: 'client-1' } } };
  if (kind === 'suspension' || kind === 'cancellation')
    return { kind, body: { reason: 'customer_requested', narrative: 'As asked' } };
  return { kind, body: {} };
}

const anAction = (kind: ActionKind, over: Partial<Action> = {}): Action => ({
  key: `key-${kind}`,
  command: asking(kind),
  requestedAt: BEFORE,
  after: BEFORE,
  priorIds: [],
  stage: 'accepted',
  ...over,
});

test.each(AGREEMENT_STATES)('identification in state %s is refused only if the state is final', (state) => {
  const refusal = refusalOfAction({ state, causedBy: 'initiator', actions: [] }, asking('identification'));
  expect(refusal?.code).toBe(isFinal(state) ? 'agreement_final' : undefined);
});

describe('pending command', () => {
  test('ignores an event published before the request', () => {
    const old = aFact('suspended', { publishedAt: '2026-10-30T00:00:00.000Z' });
    expect(answeredActions([anAction('suspension')], [old])).toMatchObject([{ stage: 'accepted' }]);
  });

  test('ignores an unauthenticated event', () => {
    const forged = aFact('suspended', { authenticated: false });
    expect(answeredActions([anAction('suspension')], [forged])).toMatchObject([{ stage: 'accepted' }]);
  });

  test('ignores an amendment made by the payer', () => {
    const theirs = aFact('amended', { causedBy: 'debtor' });
    expect(answeredActions([anAction('amendment')], [theirs])).toMatchObject([{ stage: 'accepted' }]);
  });

  test('is marked as failed with the provider’s reason', () => {
    const failed = aFact('suspension_failed', { reason: { code: 'MMS.API.9001' } });
    const [action] = answeredActions([anAction('suspension')], [failed]);
    expect(action).toMatchObject({
      stage: 'failed',
      failure: { code: 'MMS.API.9001' },
      endedAt: failed.publishedAt,
    });
  });

  test('fails with agreement_final when the agreement ends', () => {
    const [open] = answeredActions([anAction('amendment')], [aFact('cancelled')]);
    expect(open).toMatchObject({ stage: 'accepted' });
    const [action] = actionsAtTheEnd([anAction('amendment')], 'cancelled', '2026-11-02T00:00:00.000Z');
    expect(action).toMatchObject({ stage: 'failed', failure: { code: 'agreement_final' } });
  });

  test('is done when a snapshot shows the target state', () => {
    const seen = aFact('observed', { source: 'lookup', state: 'suspended' });
    expect(answeredActions([anAction('suspension')], [seen])).toMatchObject([{ stage: 'done' }]);
  });
});

describe('pending command with equal event timestamps', () => {
  const AFTER = '2026-11-01T10:00:00.200Z';
  const asked = (kind: ActionKind, over: Partial<Action> = {}) =>
    anAction(kind, { after: AFTER, priorIds: ['known'], ...over });
  const stageAfter = (action: Action, type: string, over: Partial<Fact>) =>
    answeredActions([action], [aFact(type, { publishedAt: AFTER, causedBy: 'initiator', ...over })])[0]
      ?.stage;

  test('accepts an event that was unknown at the time of the request', () => {
    expect(stageAfter(asked('suspension'), 'suspended', {})).toBe('done');
    expect(stageAfter(asked('amendment'), 'amendment_declined', { causedBy: 'debtor' })).toBe('failed');
  });

  test('ignores an event that was known at the time of the request', () => {
    expect(stageAfter(asked('suspension'), 'suspended', { id: 'known' })).toBe('accepted');
  });

  test('accepts a history event whose timestamp is rounded to the second', () => {
    const publishedAt = '2026-11-01T10:00:00.000Z';
    expect(stageAfter(asked('amendment'), 'amended', { publishedAt })).toBe('done');
    expect(stageAfter(asked('suspension'), 'suspension_failed', { publishedAt })).toBe('failed');
    const known = asked('suspension', { after: publishedAt });
    expect(stageAfter(known, 'suspended', { publishedAt: '2026-11-01T10:00:00.900Z' })).toBe('done');
  });

  test.each(['2026-11-01T10:00:00.199Z', '2026-11-01T09:59:59.000Z'])(
    'ignores an event at %s, before that timestamp',
    (publishedAt) => {
      expect(stageAfter(asked('amendment'), 'amended', { publishedAt })).toBe('accepted');
    },
  );

  test('ignores a repeatable event of another actor that may be old', () => {
    expect(stageAfter(asked('suspension'), 'suspended', { causedBy: 'debtor' })).toBe('accepted');
    expect(stageAfter(asked('cancellation'), 'cancelled', { causedBy: 'debtor' })).toBe('done');
    const later = { causedBy: 'debtor', publishedAt: '2026-11-01T10:00:00.201Z' };
    expect(stageAfter(asked('suspension'), 'suspended', later)).toBe('done');
  });

  test('remembers the ids of all authenticated facts of that second', () => {
    const facts = [
      aFact('activated', { publishedAt: AFTER, id: 'a' }),
      aFact('suspended', { publishedAt: '2026-11-01T10:00:00.000Z', id: 'to-the-second' }),
      aFact('observed', {
        publishedAt: '2026-11-01T10:00:00.201Z',
        id: 'seen',
        source: 'lookup',
        state: 'suspended',
      }),
      aFact('suspended', { publishedAt: '2026-11-01T10:00:00.100Z', id: 'of-that-second' }),
      aFact('suspended', { publishedAt: '2026-11-01T09:59:59.999Z', id: 'before' }),
      aFact('suspended', { publishedAt: AFTER, id: 'unsigned', authenticated: false }),
      aFact('requested', { publishedAt: AFTER, id: 'ours', source: 'command' }),
    ];
    expect(idsSince(facts, AFTER)).toEqual(['a', 'to-the-second', 'seen', 'of-that-second']);
  });
});
