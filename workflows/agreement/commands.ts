// What callers ask of an agreement: judged, noted, sent, and noted again with its outcome. Plain JSON and pure.
import { ACTIONS, isUnderWay, refusalOfAction } from '../../domain/action.js';
import { AGREEMENT_LIFE } from '../../domain/agreement.js';
import { isSame } from '../../domain/intent.js';
import { knownSince } from '../../domain/outcome.js';
import { inOrder } from '../../domain/fact.js';
import { refusalId, requestId } from '../../domain/our-ids.js';
import { stateOf, withLook } from './state.js';
import { afterAll, foldedOf, remember } from '../entity/state.js';
import { refused } from '../entity/refusal.js';
import { allHold } from '../entity/rules.js';
import type { Action, ActionRequest, ActionStage } from '../../domain/action.js';
import type { ActionTaken } from './contract.js';
import type { AgreementLook } from '../../domain/snapshot.js';
import type { AgreementRecord } from './state.js';
import type { Fact, Instant, Reason } from '../../domain/fact.js';
import type { Holds } from '../entity/rules.js';

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
 */
export function withAction(
  record: AgreementRecord,
  request: ActionRequest,
  now: Instant,
  holds: Holds = allHold,
): AgreementRecord {
  const facts = inOrder(record.facts);
  const [newest, told] = [facts.at(-1), facts.findLast(isTold)];
  const after =
    (newest === told || holds('told-answers') ? told : newest)?.publishedAt ?? forgotten(record, holds);
  const known = knownSince(facts, after);
  const action: Action = { ...request, askedAt: now, after, known, stage: 'asked', ready: true };
  const open = record.actions.filter(isUnderWay);
  const ended = record.actions.filter((other) => !isUnderWay(other));
  const kept = [...ended.slice(-(ACTIONS_KEPT - open.length - 1)), ...open, action];
  return ours({ ...record, actions: kept }, requestId(request.key), 'requested', now, {
    action: request.ask.kind,
  });
}

/** Where nothing told is kept any more, what is no longer known is old. */
const forgotten = ({ forgottenBefore }: AgreementRecord, holds: Holds): Instant | undefined =>
  forgottenBefore !== undefined && holds('old-webhooks-are-asked-about') ? forgottenBefore : undefined;

const isTold = ({ authenticated, source }: Fact): boolean =>
  authenticated && (source === 'webhook' || source === 'history');

export const withAccepted = (record: AgreementRecord, key: string, now: Instant): AgreementRecord =>
  changed(record, key, (action) =>
    action.stage === 'asked' ? { ...action, stage: 'accepted', acceptedAt: now } : action,
  );

/** Nobody knows whether it was taken: how things stand is looked at before it is passed on again. */
export const withActionUnanswered = (record: AgreementRecord, key: string): AgreementRecord => ({
  ...changed(record, key, (action) => ({ ...action, ready: undefined })),
  lookAsked: true,
});

/** The provider would not take it, and will not take it again: the action is over, the agreement as it was. */
export function withActionRefused(
  record: AgreementRecord,
  key: string,
  now: Instant,
  failure: Reason,
): AgreementRecord {
  const over = changed(record, key, (action) => ended(action, 'refused', now, failure));
  const kind = record.actions.find((action) => action.key === key)?.ask.kind;
  return ours(over, refusalId(key), 'refused', now, { action: kind ?? null }, failure);
}

/**
 * The provider said that this is not the state for it: perhaps because it has been done. A look tells.
 * @param asked the questions that were open when the command was sent.
 */
export function withActionLook(
  record: AgreementRecord,
  key: string,
  look: AgreementLook,
  failure: Reason,
  holds: Holds = allHold,
  asked?: readonly string[],
): AgreementRecord {
  const seen = withLook(record, look, holds, asked);
  const action = seen.actions.find((known) => known.key === key);
  if (action === undefined || !isUnderWay(action)) return seen;
  // Shown as done, though nothing that we know of did it: that is settled like any other disagreement, and answers the action.
  const { state: shown } = look.agreement;
  const isDone = ACTIONS[action.ask.kind].to === shown;
  if (isDone && (stateOf(seen) !== shown || !holds('told-answers')))
    return withAccepted(seen, key, look.lookedAt);
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
    id, type, publishedAt: afterAll(record, now), receivedAt: now,
    source: 'command', authenticated: true, causedBy: 'initiator', detail, reason,
  }); // prettier-ignore
}
