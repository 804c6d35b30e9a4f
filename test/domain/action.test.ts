import { describe, expect, test } from 'vitest';
import { refusalOfAction } from '../../domain/action.js';
import {
  ACTION_KINDS,
  AGREEMENT_EVENTS,
  AGREEMENT_STATES,
  agreementEvent,
} from '../../domain/agreement-events.js';
import { AGREEMENT_LIFE } from '../../domain/agreement.js';
import { actionsAtTheEnd, answeredActions, idsSince } from '../../domain/outcome.js';
import { aFact } from '../support/facts.js';
import type { Action, ActionKind, Ask } from '../../domain/action.js';
import type { AgreementState } from '../../domain/agreement.js';
import type { Fact } from '../../domain/fact.js';

const BEFORE = '2026-10-31T00:00:00.000Z';
/** One of each kind, as a caller would ask it. */
function asking(kind: ActionKind): Ask {
  if (kind === 'amendment') return { kind, body: { changes: { description: 'New text' } } };
  if (kind === 'identification') return { kind, body: { initiator: { client_id: 'client-1' } } };
  if (kind === 'suspension' || kind === 'cancellation')
    return { kind, body: { reason: 'customer_requested', narrative: 'As asked' } };
  return { kind, body: {} };
}

const anAction = (kind: ActionKind, over: Partial<Action> = {}): Action => ({
  key: `key-${kind}`,
  ask: asking(kind),
  askedAt: BEFORE,
  after: BEFORE,
  priorIds: [],
  stage: 'accepted',
  ...over,
});

/** What each state answers each command with, where nothing else is under way; `-` lets it through. */
const CELLS: Record<AgreementState, Record<ActionKind, string>> = {
  pending: row('forbids', 'forbids', '-', 'forbids', 'forbids', '-'),
  created: row('forbids', 'forbids', '-', 'forbids', 'forbids', '-'),
  active: row('-', 'forbids', '-', '-', 'no_amendment', '-'),
  suspended: row('forbids', '-', '-', '-', 'no_amendment', '-'),
  declined: row('final', 'final', 'final', 'final', 'final', 'final'),
  expired: row('final', 'final', 'final', 'final', 'final', 'final'),
  cancelled: row('final', 'final', 'final', 'final', 'final', 'final'),
  failed: row('final', 'final', 'final', 'final', 'final', 'final'),
};
const CODES: Record<string, string | undefined> = {
  '-': undefined,
  forbids: 'agreement_state_forbids',
  final: 'agreement_final',
  no_amendment: 'no_amendment',
};

function row(...cells: [string, string, string, string, string, string]): Record<ActionKind, string> {
  const [suspension, reactivation, cancellation, amendment, amendment_recall, identification] = cells;
  return { suspension, reactivation, cancellation, amendment, amendment_recall, identification };
}

describe('whether a command may be asked for', () => {
  const cells = AGREEMENT_STATES.flatMap((state) =>
    ACTION_KINDS.map((kind) => [kind, state, CELLS[state][kind]] as const),
  );

  test.each(cells)('%s of an agreement that is %s: %s', (kind, state, cell) => {
    const refusal = refusalOfAction({ state, causedBy: 'initiator', actions: [] }, asking(kind));
    expect(refusal?.code).toBe(CODES[cell]);
  });

  test.each(['initiator', 'service_admin', undefined])('what %s paused, we may try to resume', (causedBy) => {
    expect(
      refusalOfAction({ state: 'suspended', causedBy, actions: [] }, asking('reactivation')),
    ).toBeUndefined();
  });

  test('what the payer paused, only the payer resumes', () => {
    const refusal = refusalOfAction(
      { state: 'suspended', causedBy: 'debtor', actions: [] },
      asking('reactivation'),
    );
    expect(refusal?.code).toBe('suspended_by_payer');
  });

  test('not while another of its kind is under way', () => {
    const actions = [anAction('suspension', { stage: 'asked' })];
    const standing = { state: 'active', actions } as const;
    expect(refusalOfAction(standing, asking('cancellation'))?.code).toBe('action_pending');
    expect(refusalOfAction(standing, asking('amendment'))).toBeUndefined();
  });

  test.each(['done', 'failed', 'refused'] as const)('again once the one before is %s', (stage) => {
    const actions = [anAction('suspension', { stage })];
    expect(refusalOfAction({ state: 'active', actions }, asking('suspension'))).toBeUndefined();
  });

  test('an amendment can be taken back while it is under way, and once at a time', () => {
    const amending = { state: 'active', actions: [anAction('amendment')] } as const;
    expect(refusalOfAction(amending, asking('amendment_recall'))).toBeUndefined();
    const recalling = { ...amending, actions: [...amending.actions, anAction('amendment_recall')] };
    expect(refusalOfAction(recalling, asking('amendment_recall'))?.code).toBe('action_pending');
  });
});

describe('what a fact says of a command under way', () => {
  const events = Object.keys(AGREEMENT_EVENTS);
  const cells = events.flatMap((type) => ACTION_KINDS.map((kind) => [type, kind] as const));

  test.each(cells)('%s to a %s', (type, kind) => {
    const outcome = agreementEvent(type)?.answers?.find(({ action }) => action === kind)?.outcome;
    const [action] = answeredActions([anAction(kind)], [aFact(type)]);
    expect(action?.stage).toBe(outcome ?? 'accepted');
  });

  test('nothing, if it was published before the command was asked for', () => {
    const old = aFact('suspended', { publishedAt: '2026-10-30T00:00:00.000Z' });
    expect(answeredActions([anAction('suspension')], [old])).toMatchObject([{ stage: 'accepted' }]);
  });

  test('nothing, if its bytes are not known to be the provider’s', () => {
    const forged = aFact('suspended', { authenticated: false });
    expect(answeredActions([anAction('suspension')], [forged])).toMatchObject([{ stage: 'accepted' }]);
  });

  test('nothing of our amendment, if the payer amended their own account', () => {
    const theirs = aFact('amended', { causedBy: 'debtor' });
    expect(answeredActions([anAction('amendment')], [theirs])).toMatchObject([{ stage: 'accepted' }]);
  });

  test('its failure, with the provider’s reason', () => {
    const failed = aFact('suspension_failed', { reason: { code: 'MMS.API.9001' } });
    const [action] = answeredActions([anAction('suspension')], [failed]);
    expect(action).toMatchObject({
      stage: 'failed',
      failure: { code: 'MMS.API.9001' },
      endedAt: failed.publishedAt,
    });
  });

  test('that it came to nothing, once the agreement is over', () => {
    const [open] = answeredActions([anAction('amendment')], [aFact('cancelled')]);
    expect(open).toMatchObject({ stage: 'accepted' });
    const [action] = actionsAtTheEnd([anAction('amendment')], 'cancelled', '2026-11-02T00:00:00.000Z');
    expect(action).toMatchObject({ stage: 'failed', failure: { code: 'agreement_final' } });
  });

  test('its success, where a snapshot shows the state that it leads to', () => {
    const seen = aFact('observed', { source: 'lookup', state: 'suspended' });
    expect(answeredActions([anAction('suspension')], [seen])).toMatchObject([{ stage: 'done' }]);
  });
});

describe('what a fact says that bears the instant of the newest one known when a command was asked for', () => {
  const AFTER = '2026-11-01T10:00:00.200Z';
  const asked = (kind: ActionKind, over: Partial<Action> = {}) =>
    anAction(kind, { after: AFTER, priorIds: ['known'], ...over });
  const stageAfter = (action: Action, type: string, over: Partial<Fact>) =>
    answeredActions([action], [aFact(type, { publishedAt: AFTER, causedBy: 'initiator', ...over })])[0]
      ?.stage;

  test('is its outcome, if it was not known then', () => {
    expect(stageAfter(asked('suspension'), 'suspended', {})).toBe('done');
    expect(stageAfter(asked('amendment'), 'amendment_declined', { causedBy: 'debtor' })).toBe('failed');
  });

  test('is nothing, if it was', () => {
    expect(stageAfter(asked('suspension'), 'suspended', { id: 'known' })).toBe('accepted');
  });

  test('is its outcome, if a history shows it to the second', () => {
    const publishedAt = '2026-11-01T10:00:00.000Z';
    expect(stageAfter(asked('amendment'), 'amended', { publishedAt })).toBe('done');
    expect(stageAfter(asked('suspension'), 'suspension_failed', { publishedAt })).toBe('failed');
    const known = asked('suspension', { after: publishedAt });
    expect(stageAfter(known, 'suspended', { publishedAt: '2026-11-01T10:00:00.900Z' })).toBe('done');
  });

  test.each(['2026-11-01T10:00:00.199Z', '2026-11-01T09:59:59.000Z'])(
    'is nothing at %s, which is before it',
    (publishedAt) => {
      expect(stageAfter(asked('amendment'), 'amended', { publishedAt })).toBe('accepted');
    },
  );

  test('is nothing, if another did what is done again and again: that may be old, and received late', () => {
    expect(stageAfter(asked('suspension'), 'suspended', { causedBy: 'debtor' })).toBe('accepted');
    expect(stageAfter(asked('cancellation'), 'cancelled', { causedBy: 'debtor' })).toBe('done');
    const later = { causedBy: 'debtor', publishedAt: '2026-11-01T10:00:00.201Z' };
    expect(stageAfter(asked('suspension'), 'suspended', later)).toBe('done');
  });

  test('is recognised by the facts of that second which are vouched for, whatever their source', () => {
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

describe('the table of events', () => {
  test.each(Object.entries(AGREEMENT_EVENTS))(
    '%s moves something, needs a look-up or answers something',
    (type) => {
      const event = agreementEvent(type);
      expect(event?.moves ?? event?.needsLookUp ?? event?.answers).toBeDefined();
    },
  );

  test('is what the states are moved by', () => {
    const moved = new Set(Object.values(AGREEMENT_LIFE.moves).flatMap((moves) => Object.keys(moves)));
    const known = Object.keys(AGREEMENT_EVENTS).filter((type) => agreementEvent(type)?.moves !== undefined);
    expect([...moved].sort()).toEqual(known.sort());
  });
});
