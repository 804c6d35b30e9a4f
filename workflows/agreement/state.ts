// What an agreement workflow remembers. Plain JSON and pure; agreement-step.ts says what it asks for next.
import { isUnderWay } from '../../domain/action.js';
import { actionsAtTheEnd, answeredActions, withoutOpen } from '../../domain/outcome.js';
import { AGREEMENT_LIFE, isAnswered, isFinal, isHeld } from '../../domain/agreement.js';
import { lower } from '../../domain/legible.js';
import { isLate } from './deadlines.js';
import {
  compact, emptyMemory, flag, foldedOf, lastFactAt, isOfForgottenTime, mayBeForgotten, remember, unexamined, withOlderId,
} from '../entity/state.js'; // prettier-ignore
import { allHold } from '../entity/rules.js';
import { settle } from '../entity/settle.js';
import type { Action } from '../../domain/action.js';
import type { AgreementState } from '../../domain/agreement.js';
import type { Standing } from '../../domain/admission.js';
import type { Fact, Instant, Reason } from '../../domain/fact.js';
import type { Ledger } from './ledger.js';
import type { Mandate } from '../../domain/mandate.js';
import type { AgreementLook } from '../../domain/snapshot.js';
import type { Memory } from '../entity/state.js';
import type { Holds } from '../entity/rules.js';

export interface AgreementRecord extends Memory<AgreementState>, Ledger {
  uid: string;
  connectionId?: string | undefined;
  /** What was asked for at the start, to tell a repeat of the request from another one. */
  asked?: Mandate | undefined;
  /** What holds now, as the provider last showed it, amendments included. */
  mandate?: Mandate | undefined;
  adopted: boolean;
  /** `creating`: not yet known to be at the provider. `adopting`: not yet known to us. `unknown`: to nobody. */
  stage: 'creating' | 'adopting' | 'open' | 'unknown';
  startedAt: Instant;
  /** When the payer was asked, as well as we know. */
  askedAt?: Instant | undefined;
  overdue: boolean;
  /** What was asked of the provider, oldest first: what is under way, and the newest of what has ended. */
  actions: Action[];
  /** Deadlines at which the provider has been asked, by `deadlineId`. */
  passed: string[];
  /** A look that somebody, or a deadline, has asked for and that was not made yet. */
  lookAsked: boolean;
  mmsAgreementId?: string | undefined;
}

const NOTHING_ASKED = { actions: [], passed: [], lookAsked: false };

/** What an earlier run knew; one that began before actions and deadlines were kept had none. */
export const carriedOn = (carried: AgreementRecord): AgreementRecord => ({ ...NOTHING_ASKED, ...carried });

export function newAgreement(
  given: { uid: string; connectionId?: string | undefined; mandate?: Mandate | undefined },
  now: Instant,
): AgreementRecord {
  const { uid, connectionId, mandate } = given;
  const adopted = mandate === undefined;
  const stage = adopted ? 'adopting' : 'creating';
  const memory = emptyMemory('pending', adopted ? 'look-up' : 'provider-acceptance', now);
  const known = { uid, connectionId, asked: mandate, mandate, adopted, stage, startedAt: now } as const;
  return { ...memory, ...known, overdue: false, ...NOTHING_ASKED, ledger: [], paymentsOlder: 0 };
}

export const stateOf = (record: AgreementRecord): AgreementState => foldedOf(AGREEMENT_LIFE, record).state;

/** What asks for a look, by id. */
export const openQuestions = (record: AgreementRecord): string[] => unexamined(AGREEMENT_LIFE, record);

/**
 * The provider has taken our agreement, or showed that it had taken it before.
 * @param asked the questions that were open when the look began; without them it is held to answer every one.
 */
export function withLook(
  record: AgreementRecord,
  look: AgreementLook,
  holds: Holds = allHold,
  asked?: readonly string[],
): AgreementRecord {
  const { agreement, history, lookedAt } = look;
  const told = history.reduce(remember<AgreementRecord>, record);
  const known: AgreementRecord = {
    ...told,
    actions: afterLook(told, history, holds),
    stage: 'open',
    lookAsked: false,
    mandate: current(told, agreement.mandate, holds),
    askedAt: told.askedAt ?? (told.adopted ? agreement.createdAt : undefined) ?? lookedAt,
    mmsAgreementId: agreement.mmsAgreementId ?? told.mmsAgreementId,
  };
  const isInHistory = (id: string): boolean => history.some((fact) => fact.id === id);
  const isAsked = (id: string): boolean =>
    asked === undefined || asked.includes(id) || !holds('looks-judge-what-was-known');
  return answered(settle(AGREEMENT_LIFE, known, { ...agreement, lookedAt }, isInHistory, isAsked), holds);
}

/** Whatever is to be sent may go now; and what is too old to be folded may still be news to what is under way. */
function afterLook(record: AgreementRecord, history: readonly Fact[], holds: Holds): Action[] {
  const { actions } = record;
  if (!actions.some(isUnderWay)) return actions;
  const old = history.filter((fact) => isOfForgottenTime(record, fact));
  const known = answeredActions(actions, old);
  const isNews = known.some((action, at) => action !== actions[at]);
  return (isNews && holds('old-webhooks-are-asked-about') ? known : actions).map((action) =>
    action.stage === 'asked' ? { ...action, ready: true } : action,
  );
}

/**
 * What the provider shows, over what we knew: it may leave out what it was told. The end of validity is the one of these terms
 * that an amendment can take away (facts 7.5).
 */
function current({ mandate }: AgreementRecord, shown: Mandate, holds: Holds): Mandate {
  const said = Object.entries(shown).filter(([, value]) => value !== undefined && value !== null);
  const known: Mandate = { ...mandate, ...Object.fromEntries(said) };
  const isTakenAway = shown.validity_end_date === null && typeof known.validity_end_date === 'string';
  return isTakenAway && holds('ends-of-validity-are-taken-away')
    ? { ...known, validity_end_date: null }
    : known;
}

/**
 * The very same record where the fact was known: a repeat must not wake anybody. An end that leaves an action open is
 * looked at: the action's own outcome may have come before it, and nobody have told us. What may be a repeat of something that is
 * forgotten is not believed and not passed over: the provider is asked.
 */
export function withFact(record: AgreementRecord, fact: Fact, holds: Holds = allHold): AgreementRecord {
  if (mayBeForgotten(record, fact) && holds('old-webhooks-are-asked-about'))
    return { ...withOlderId(record, fact.id), lookAsked: true };
  const told = remember(record, fact);
  if (told === record) return record;
  const known = answeredByFacts(told, holds);
  return isCutShort(known) ? { ...known, lookAsked: true } : known;
}

/** The provider refused to create it: a fact of ours, and the last one unless the provider says otherwise. */
export const withRefusal = (record: AgreementRecord, now: Instant, reason: Reason): AgreementRecord =>
  answered(remember({ ...record, stage: 'open' }, {
    id: `command/create/${record.uid}`, type: 'failed', publishedAt: now, receivedAt: now,
    source: 'command', authenticated: true, causedBy: 'provider', reason,
  })); // prettier-ignore

/** Nobody knows it, so nothing comes of what was asked of it meanwhile. */
export function withOrphanage(record: AgreementRecord, now: Instant): AgreementRecord {
  const failure = { code: 'agreement_unknown', title: 'The provider does not know this agreement.' };
  const actions = withoutOpen(record.actions, { stage: 'refused', endedAt: now, failure });
  return flag({ ...record, stage: 'unknown', actions }, 'orphan', now, {
    detail: 'The provider told of this agreement, but did not know it in a whole day of asking.',
    next: 'Ask the provider what the notification was about.',
  });
}

/** What is known now answers actions, and an end takes with it what is left of them. */
export function answered(record: AgreementRecord, holds: Holds = allHold): AgreementRecord {
  const known = answeredByFacts(record, holds);
  if (!isCutShort(known)) return known;
  const endedAt = lastFactAt(known) ?? known.startedAt;
  return { ...known, actions: actionsAtTheEnd(known.actions, stateOf(known), endedAt) };
}

const isCutShort = (record: AgreementRecord): boolean =>
  record.actions.some(isUnderWay) && isFinal(stateOf(record));

/** Facts answer actions, and nobody is late any more once the payer has answered. */
function answeredByFacts(record: AgreementRecord, holds: Holds): AgreementRecord {
  // To fold all facts anew for each of thousands that come at once would take longer than a task may.
  if (!record.overdue && !record.actions.some(isUnderWay)) return record;
  const actions = answeredActions(record.actions, record.facts, () => holds('ties-are-answers'));
  const known = { ...record, actions };
  if (!known.overdue || !isAnswered(stateOf(record))) return known;
  if (isLate(known, stateOf(record)) && holds('overdue-until-answered')) return known;
  return { ...known, overdue: false, attention: lower(known.attention, 'overdue') };
}

export function standingOf(record: AgreementRecord): Standing {
  const open = unexamined(AGREEMENT_LIFE, record);
  const held = isHeld(record.facts.filter(({ id }) => open.includes(id)));
  return { state: stateOf(record), held, mandate: record.stage === 'adopting' ? undefined : record.mandate };
}

export const carriedAgreement = (record: AgreementRecord): AgreementRecord => compact(AGREEMENT_LIFE, record);
