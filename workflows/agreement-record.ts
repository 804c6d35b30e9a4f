// What an agreement workflow remembers, and what that asks it to do next. Plain JSON and pure.
import { AGREEMENT_LIFE, PAYER_DECISION_MS, isAnswered, isFinal, isHeld } from '../domain/agreement.js';
import { lower } from '../domain/legible.js';
import { compact, emptyMemory, flag, foldedOf, remember, settle, unexamined } from './record.js';
import type { AgreementState } from '../domain/agreement.js';
import type { Standing } from '../domain/admission.js';
import type { Fact, Instant, Reason } from '../domain/fact.js';
import type { Mandate, PaymentOrder } from '../domain/mandate.js';
import type { AgreementLook } from '../domain/snapshot.js';
import type { Memory } from './record.js';

/** Orders kept in full to tell a repeat from a conflict; of older payments uid and amount; of yet older ones the number. */
const ORDERS_KEPT = 200;
const PAYMENTS_KEPT = 1000;

export interface LedgerEntry {
  uid: string;
  amount: number;
  requestedAt: Instant;
  order?: PaymentOrder | undefined;
}

export interface AgreementRecord extends Memory<AgreementState> {
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
  mmsAgreementId?: string | undefined;
  ledger: LedgerEntry[];
  /** How many payments are known only by number. */
  paymentsOlder: number;
}

export type AgreementStep =
  | { do: 'create' }
  | { do: 'adopt' }
  | { do: 'look_up'; doubts: number }
  | { do: 'await_payer'; ladder: 'payer_decision' | 'overdue'; known: string }
  | { do: 'await_consent' }
  | { do: 'rest' }
  | { do: 'end' };

export function newAgreement(
  given: { uid: string; connectionId?: string | undefined; mandate?: Mandate | undefined },
  now: Instant,
): AgreementRecord {
  const { uid, connectionId, mandate } = given;
  const adopted = mandate === undefined;
  const stage = adopted ? 'adopting' : 'creating';
  const memory = emptyMemory('pending', adopted ? 'look-up' : 'provider-acceptance', now);
  const known = { uid, connectionId, asked: mandate, mandate, adopted, stage, startedAt: now } as const;
  return { ...memory, ...known, overdue: false, ledger: [], paymentsOlder: 0 };
}

export const stateOf = (record: AgreementRecord): AgreementState => foldedOf(AGREEMENT_LIFE, record).state;

/** What should be going on now. The workflow makes it so; nothing else decides. */
export function nextStep(record: AgreementRecord): AgreementStep {
  const state = stateOf(record);
  const isSettled = unexamined(AGREEMENT_LIFE, record).length === 0 && record.doubts === 0;
  if (record.stage === 'unknown') return { do: 'end' };
  // An event for an agreement that nobody here knows, or that is over, is looked at before it is believed.
  if (record.stage === 'adopting') return { do: record.blocked === undefined ? 'adopt' : 'await_consent' };
  if (isFinal(state) && isSettled) return { do: 'end' };
  if (record.blocked !== undefined) return { do: 'await_consent' };
  if (record.stage === 'creating') return { do: 'create' };
  if (!isSettled) return { do: 'look_up', doubts: record.doubts };
  if (!isAnswered(state)) {
    return {
      do: 'await_payer',
      ladder: record.overdue ? 'overdue' : 'payer_decision',
      known: record.shown ?? state,
    };
  }
  return { do: 'rest' };
}

/** The provider has taken our agreement, or showed that it had taken it before. */
export function withLook(record: AgreementRecord, look: AgreementLook): AgreementRecord {
  const { agreement, history, lookedAt } = look;
  const told = history.reduce(remember<AgreementRecord>, record);
  const known: AgreementRecord = {
    ...told,
    stage: 'open',
    mandate: current(told, agreement.mandate),
    askedAt: told.askedAt ?? (told.adopted ? agreement.createdAt : undefined) ?? lookedAt,
    mmsAgreementId: agreement.mmsAgreementId ?? told.mmsAgreementId,
  };
  const isInHistory = (id: string): boolean => history.some((fact) => fact.id === id);
  return answered(settle(AGREEMENT_LIFE, known, { ...agreement, lookedAt }, isInHistory));
}

/** What the provider shows, over what we knew: it may leave out what it was told. */
function current({ mandate }: AgreementRecord, shown: Mandate): Mandate {
  const said = Object.entries(shown).filter(([, value]) => value !== undefined && value !== null);
  return { ...mandate, ...Object.fromEntries(said) };
}

export const withFact = (record: AgreementRecord, fact: Fact): AgreementRecord =>
  answered(remember(record, fact));

/** The provider refused to create it: a fact of ours, and the last one unless the provider says otherwise. */
export const withRefusal = (record: AgreementRecord, now: Instant, reason: Reason): AgreementRecord =>
  remember({ ...record, stage: 'open' }, {
    id: `command/create/${record.uid}`, type: 'failed', publishedAt: now, receivedAt: now,
    source: 'command', authenticated: true, causedBy: 'provider', reason,
  }); // prettier-ignore

export const withOverdue = (record: AgreementRecord, now: Instant): AgreementRecord =>
  flag({ ...record, overdue: true }, 'overdue', now, {
    detail:
      'The payer has not answered in five days, and the provider has not said that the agreement expired.',
    next: 'Nothing to do: the provider is asked every 30 minutes for a day, then every 6 hours.',
  });

export const withOrphanage = (record: AgreementRecord, now: Instant): AgreementRecord =>
  flag({ ...record, stage: 'unknown' }, 'orphan', now, {
    detail: 'The provider told of this agreement, but did not know it in a whole day of asking.',
    next: 'Ask the provider what the notification was about.',
  });

/** Nobody is late any more once the payer has answered. */
function answered(record: AgreementRecord): AgreementRecord {
  const state = stateOf(record);
  if (!record.overdue || !isAnswered(state)) return record;
  return { ...record, overdue: false, attention: lower(record.attention, 'overdue') };
}

export const decisionDueMs = (record: AgreementRecord): number =>
  Date.parse(record.askedAt ?? record.startedAt) + PAYER_DECISION_MS;

export function standingOf(record: AgreementRecord): Standing {
  const open = unexamined(AGREEMENT_LIFE, record);
  const held = isHeld(record.facts.filter(({ id }) => open.includes(id)));
  return { state: stateOf(record), held, mandate: record.stage === 'adopting' ? undefined : record.mandate };
}

export function withPayment(record: AgreementRecord, entry: LedgerEntry): AgreementRecord {
  const all = [...record.ledger, entry];
  const kept = all.slice(-PAYMENTS_KEPT);
  const aged = kept.length - ORDERS_KEPT;
  const ledger = kept.map((payment, index) => (index < aged ? { ...payment, order: undefined } : payment));
  return { ...record, ledger, paymentsOlder: record.paymentsOlder + all.length - kept.length };
}

export const withoutPayment = (record: AgreementRecord, uid: string): AgreementRecord => ({
  ...record,
  ledger: record.ledger.filter((entry) => entry.uid !== uid),
});

export const carriedAgreement = (record: AgreementRecord): AgreementRecord => compact(AGREEMENT_LIFE, record);
