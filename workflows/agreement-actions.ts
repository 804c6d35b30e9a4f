// What callers ask of an agreement: judged, noted, sent, and noted again with its outcome. Plain JSON and pure.
import { ACTIONS, isUnderWay, refusalOfAction } from '../domain/action.js';
import { AGREEMENT_LIFE } from '../domain/agreement.js';
import { isSame } from '../domain/intent.js';
import { inOrder } from '../domain/fact.js';
import { stateOf, withLook } from './agreement-record.js';
import { afterAll, foldedOf, remember } from './record.js';
import { refused } from './refusal.js';
import type { Action, ActionRequest, ActionStage } from '../domain/action.js';
import type { ActionTaken } from './agreement.contract.js';
import type { AgreementLook } from '../domain/snapshot.js';
import type { AgreementRecord } from './agreement-record.js';
import type { Fact, Instant, Reason } from '../domain/fact.js';

/** A key is known for as long as it is among so many newer ones. */
const ACTIONS_KEPT = 100;

/**
 * Refuses, writing nothing, what cannot be asked now. A repeat is always let through.
 * @throws ApplicationFailure whose type is an `ActionRefusalCode` or `action_key_conflict`.
 */
export function assertAskable(record: AgreementRecord, request: ActionRequest): void {
  const known = record.actions.find(({ key }) => key === request.key);
  if (known !== undefined) {
    if (isSame(known.ask, request.ask)) return;
    throw refused('action_key_conflict', 'This key was used before, for something else.');
  }
  const { causedBy, state } = foldedOf(AGREEMENT_LIFE, record);
  const refusal = refusalOfAction({ state, causedBy, actions: record.actions }, request.ask.kind);
  if (refusal !== undefined) throw refused(refusal.code, refusal.detail);
}

export const takenAs = ({ key, ask: { kind }, stage }: Action, fresh: boolean): ActionTaken => ({
  key, kind, stage, fresh,
}); // prettier-ignore

/**
 * Notes what was asked for, as a fact of ours among the provider's. What is not vouched for yet may still answer it, and
 * what is ours was not published by the provider's clock.
 * @param isRule whether that holds: not in runs that began before.
 */
export function withAction(
  record: AgreementRecord,
  request: ActionRequest,
  now: Instant,
  isRule = (): boolean => true,
): AgreementRecord {
  const facts = inOrder(record.facts);
  const [newest, told] = [facts.at(-1), facts.findLast(isTold)];
  const after = (newest === told || isRule() ? told : newest)?.publishedAt;
  const action: Action = { ...request, askedAt: now, after, stage: 'asked' };
  const open = record.actions.filter(isUnderWay);
  const ended = record.actions.filter((known) => !isUnderWay(known));
  const kept = [...ended.slice(-(ACTIONS_KEPT - open.length - 1)), ...open, action];
  return ours({ ...record, actions: kept }, request.key, 'requested', now, { action: request.ask.kind });
}

const isTold = ({ authenticated, source }: Fact): boolean =>
  authenticated && (source === 'webhook' || source === 'history');

export const withAccepted = (record: AgreementRecord, key: string, now: Instant): AgreementRecord =>
  changed(record, key, (action) =>
    action.stage === 'asked' ? { ...action, stage: 'accepted', acceptedAt: now } : action,
  );

/** The provider would not take it, and will not take it again: the action is over, the agreement as it was. */
export function withActionRefused(
  record: AgreementRecord,
  key: string,
  now: Instant,
  failure: Reason,
): AgreementRecord {
  const over = changed(record, key, (action) => ended(action, 'refused', now, failure));
  const kind = record.actions.find((action) => action.key === key)?.ask.kind;
  return ours(over, `${key}/refused`, 'refused', now, { action: kind ?? null }, failure);
}

/**
 * The provider said that this is not the state for it: perhaps because it has been done. A look tells.
 * @param isRule whether what is explained otherwise is refused: not in runs that began before.
 */
export function withActionLook(
  record: AgreementRecord,
  key: string,
  look: AgreementLook,
  failure: Reason,
  isRule = (): boolean => true,
): AgreementRecord {
  const seen = withLook(record, look);
  const action = seen.actions.find((known) => known.key === key);
  if (action === undefined || !isUnderWay(action)) return seen;
  // Shown as done, though nothing that we know of did it: that is settled like any other disagreement, and answers the action.
  const { state: shown } = look.agreement;
  const isDone = ACTIONS[action.ask.kind].to === shown;
  if (isDone && (stateOf(seen) !== shown || !isRule())) return withAccepted(seen, key, look.lookedAt);
  return withActionRefused(seen, key, look.lookedAt, failure);
}

const ended = (action: Action, stage: ActionStage, endedAt: Instant, failure?: Reason): Action => ({
  ...action, stage, endedAt, failure,
}); // prettier-ignore

const changed = (record: AgreementRecord, key: string, by: (action: Action) => Action): AgreementRecord => ({
  ...record,
  actions: record.actions.map((action) => (action.key === key ? by(action) : action)),
});

/** A fact of our own doing. It stands after all that was known, whatever our clock says of the provider's. */
export function ours(
  record: AgreementRecord,
  id: string,
  type: 'requested' | 'refused' | 'attention_resolved',
  now: Instant,
  detail: { [key: string]: string | null },
  reason?: Reason,
): AgreementRecord {
  return remember(record, {
    id: `command/${id}`, type, publishedAt: afterAll(record, now), receivedAt: now,
    source: 'command', authenticated: true, causedBy: 'initiator', detail, reason,
  }); // prettier-ignore
}
