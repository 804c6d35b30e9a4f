// How an agreement looks from outside: the view that callers read, and what operators see in Temporal's UI.
import { agreementWorkflowId } from './contract.js';
import { stateOf } from './state.js';
import { foldedOf, attentionOf, lastFactAt } from '../entity/state.js';
import { AGREEMENT_LIFE } from '../../domain/agreement.js';
import { isUnderWay, wordsFor } from '../../domain/action.js';
import { inOrder } from '../../domain/fact.js';
import { publishAttributes, publishWords, readable } from '../entity/publish.js';
import { AGREEMENT_STATE, AGREEMENT_UID } from '../entity/contract.js';
import type { AgreementStateShown, AgreementView, PendingAction, Timeline } from './contract.js';
import type { AgreementRecord } from './state.js';
import type { Fact } from '../../domain/fact.js';

export function agreementView(record: AgreementRecord): AgreementView {
  const folded = foldedOf(AGREEMENT_LIFE, record);
  const {
    uid,
    connectionId,
    asked,
    mandate,
    adopted,
    paymentsOlder,
    mmsAgreementId,
    startedAt,
    awaiting,
    ledger,
  } = record;
  return {
    uid, connectionId, asked, mandate, paymentsOlder, adopted, mmsAgreementId, awaiting,
    createdAt: startedAt,
    state: shownState(record),
    stateSince: folded.since ?? startedAt,
    stateCausedBy: folded.causedBy,
    stateReason: folded.reason,
    attention: attentionOf(record),
    pending: pendingOf(record),
    actions: record.actions.slice(-10).map(({ key, ask: { kind }, stage, askedAt, endedAt, failure }) => ({
      key, kind, stage, askedAt, endedAt, failure,
    })),
    payments: ledger.map(({ uid: payment, amount, requestedAt }) => ({ uid: payment, amount, requestedAt })),
    factCount: record.olderCount + record.facts.length,
    lastFactAt: lastFactAt(record),
  }; // prettier-ignore
}

function pendingOf(record: AgreementRecord): PendingAction[] {
  const isCreating =
    record.stage === 'creating' || (record.stage === 'open' && stateOf(record) === 'pending');
  const creation = {
    kind: 'creation',
    askedAt: record.startedAt,
    isAccepted: record.stage === 'open',
  } as const;
  const asked = record.actions.filter(isUnderWay).map(({ ask: { kind }, key, askedAt, stage }) => ({
    kind, key, askedAt, isAccepted: stage === 'accepted',
  })); // prettier-ignore
  return isCreating ? [creation, ...asked] : asked;
}

export const agreementTimeline = (record: AgreementRecord): Timeline => ({
  facts: inOrder(record.facts),
  olderCount: record.olderCount,
  conflicts: foldedOf(AGREEMENT_LIFE, record).conflicts,
  connectionId: record.connectionId,
});

const shownState = (record: AgreementRecord): AgreementStateShown =>
  record.stage === 'unknown' ? 'unknown' : stateOf(record);

export function publishAgreement(record: AgreementRecord): void {
  const { uid, connectionId, awaiting } = record;
  const attention = attentionOf(record);
  const state = shownState(record);
  publishAttributes({
    awaiting,
    attention,
    connectionId,
    lastFactAt: lastFactAt(record),
    own: [
      { key: AGREEMENT_STATE, value: state },
      { key: AGREEMENT_UID, value: uid },
    ],
  });
  publishWords({ title: `Agreement ${uid} is ${state}`, awaiting, attention, known: knownOf(record) });
}

/** What a fact says, in a word or two; of what we asked for, what it was. */
function toldBy({ state, type, detail }: Fact): string {
  const action = detail?.['action'];
  return typeof action === 'string' ? `${action.replace('_', ' ')} ${type}` : (state ?? type);
}

function knownOf(record: AgreementRecord): string[] {
  const newest = inOrder(record.facts).slice(-5);
  const paid =
    record.ledger.length === 0
      ? []
      : [`${record.ledger.length} payments asked for, the last one payment/${record.ledger.at(-1)?.uid}`];
  return [
    `${agreementWorkflowId(record.uid)} on connection/${record.connectionId ?? 'unknown'}, ${record.adopted ? 'found at the provider' : 'started here'} ${readable(record.startedAt)}`,
    ...newest.map((fact) => `${toldBy(fact)}, ${readable(fact.publishedAt)}, known from ${fact.source}`),
    ...record.actions
      .filter(isUnderWay)
      .map(
        ({ ask: { kind }, askedAt }) =>
          `${wordsFor(kind)} asked for ${readable(askedAt)}, its outcome awaited`,
      ),
    ...paid,
  ];
}
