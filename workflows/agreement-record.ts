// What an agreement workflow remembers, and what that asks it to do next. Plain JSON and pure.
import { AGREEMENT_LIFE, PAYER_DECISION_MS, isFinal, isHeld } from '../domain/agreement.js';
import { lower } from '../domain/legible.js';
import { compact, emptyMemory, flag, foldedOf, remember, settle, unexamined } from './record.js';
import type { AgreementState } from '../domain/agreement.js';
import type { Standing } from '../domain/admission.js';
import type { Fact, Instant, Reason } from '../domain/fact.js';
import type { Mandate, PaymentOrder } from '../domain/mandate.js';
import type { AgreementLook } from '../domain/snapshot.js';
import type { Memory } from './record.js';

/** Orders kept in full to tell a repeat from a conflict; of older payments the uid and the amount remain. */
const ORDERS_KEPT = 200;

export interface LedgerEntry {
  uid: string;
  amount: number;
  requestedAt: Instant;
  order?: PaymentOrder | undefined;
}

export interface AgreementRecord extends Memory<AgreementState> {
  uid: string;
  connectionId?: string | undefined;
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
  return {
    ...memory,
    uid,
    connectionId,
    mandate,
    adopted,
    stage,
    startedAt: now,
    overdue: false,
    ledger: [],
  };
}

export const stateOf = (record: AgreementRecord): AgreementState => foldedOf(AGREEMENT_LIFE, record).state;

/** What should be going on now. The workflow makes it so; nothing else decides. */
export function nextStep(record: AgreementRecord): AgreementStep {
  const state = stateOf(record);
  const questions = unexamined(AGREEMENT_LIFE, record).length;
  if (record.stage === 'unknown' || (isFinal(state) && questions === 0)) return { do: 'end' };
  if (record.blocked !== undefined) return { do: 'await_consent' };
  if (record.stage === 'creating') return { do: 'create' };
  if (record.stage === 'adopting') return { do: 'adopt' };
  if (questions > 0 || record.doubts > 0) return { do: 'look_up', doubts: record.doubts };
  if (state === 'pending' || state === 'created') {
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
    mandate: told.mandate ?? agreement.mandate,
    askedAt: told.askedAt ?? (told.adopted ? agreement.createdAt : undefined) ?? lookedAt,
    mmsAgreementId: agreement.mmsAgreementId ?? told.mmsAgreementId,
  };
  return answered(settle(AGREEMENT_LIFE, known, { ...agreement, lookedAt }));
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
  if (!record.overdue || state === 'pending' || state === 'created') return record;
  return { ...record, overdue: false, attention: lower(record.attention, 'overdue') };
}

export const decisionDueMs = (record: AgreementRecord): number =>
  Date.parse(record.askedAt ?? record.startedAt) + PAYER_DECISION_MS;

export function standingOf(record: AgreementRecord): Standing {
  const open = record.facts.filter(({ id }) => !record.examined.includes(id));
  return { state: stateOf(record), held: isHeld(open), mandate: record.mandate };
}

export function withPayment(record: AgreementRecord, entry: LedgerEntry): AgreementRecord {
  const ledger = [...record.ledger, entry];
  const aged = ledger.length - ORDERS_KEPT;
  return {
    ...record,
    ledger: ledger.map((kept, index) => (index < aged ? { ...kept, order: undefined } : kept)),
  };
}

export const withoutPayment = (record: AgreementRecord, uid: string): AgreementRecord => ({
  ...record,
  ledger: record.ledger.filter((entry) => entry.uid !== uid),
});

export const carriedAgreement = (record: AgreementRecord): AgreementRecord => compact(AGREEMENT_LIFE, record);
