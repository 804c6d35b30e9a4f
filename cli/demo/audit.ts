// Compares the provider's records with the workflows, as seen through the API. It trusts neither.
import type { LedgerEntry, ProviderState } from '../api/answers.schema.js';
import type { Api } from '../api/client.js';
import { differs, isAccepted, isChange, sourceOf, type Intent, type Scene } from './scene.js';

export interface AuditedAgreement {
  uid: string;
  stateAtProvider: string;
  stateHere: string;
  receivedBy: string;
  payments: AuditedPayment[];
}

export interface AuditedPayment {
  uid: string;
  stateAtProvider: string;
  stateHere: string;
  submissions: number;
  acceptedByProvider: number;
  settlements: number;
}

export interface Audit {
  agreements: AuditedAgreement[];
  tokens: { byConsent: number; byRefresh: number };
  /** For people: the expected and the actual values. */
  differences: string[];
}

/** The records of both sides. */
interface Books {
  api: Api;
  state: ProviderState;
  ledger: LedgerEntry[];
}

const ABSENT = 'absent';
const FACT_OF: Readonly<Record<string, string>> = { active: 'activated', expired: 'expired' };

/** @param unheard the agreement whose webhooks must all be lost. */
export async function audit(
  { api, provider }: Scene,
  intents: readonly Intent[],
  unheard: string,
): Promise<Audit> {
  const books: Books = { api, state: await provider.state(), ledger: await provider.ledger() };
  const agreements: AuditedAgreement[] = [];
  for (const intent of intents.filter(({ kind }) => kind === 'agreement')) {
    agreements.push(await auditAgreement(books, intent, intents));
  }
  const tokens = tokensIssued(books);
  const differences = [
    ...agreements.flatMap((agreement) => differencesOf(agreement, intents)),
    ...strangers(books, intents),
    ...unexpectedDeliveries(books, unheard),
    ...tokenDifferences(books, tokens),
  ];
  return { agreements, tokens, differences };
}

async function auditAgreement(
  books: Books,
  { uid, expected }: Intent,
  intents: readonly Intent[],
): Promise<AuditedAgreement> {
  const { api, state } = books;
  const here = await api.getAgreement(uid);
  const listed = await api.listPayments(uid);
  const wanted = intents.filter(({ kind, agreementUid }) => kind === 'payment' && agreementUid === uid);
  const payments: AuditedPayment[] = [];
  for (const payment of new Set([...wanted.map((intent) => intent.uid), ...listed])) {
    payments.push(await auditPayment(books, payment));
  }
  return {
    uid,
    stateAtProvider: state.agreements.find((one) => one.uid === uid)?.state ?? ABSENT,
    stateHere: here.state,
    receivedBy: sourceOf(await api.getTimeline(uid), FACT_OF[expected] ?? expected),
    payments,
  };
}

async function auditPayment({ api, state, ledger }: Books, uid: string): Promise<AuditedPayment> {
  const here = await api.getPayment(uid);
  return {
    uid,
    stateAtProvider: state.payments.find((one) => one.uid === uid)?.state ?? ABSENT,
    stateHere: here.state,
    submissions: here.submissions,
    acceptedByProvider: ledger.filter((entry) => isAccepted(entry, 'create_payment', uid)).length,
    settlements: ledger.filter((entry) => isChange(entry, 'settled', uid)).length,
  };
}

function differencesOf(agreement: AuditedAgreement, intents: readonly Intent[]): string[] {
  const { uid, stateAtProvider, stateHere, payments } = agreement;
  const expectedOf = (wanted: string): string =>
    intents.find((intent) => intent.uid === wanted)?.expected ?? 'no such payment';
  return [
    ...differs(`agreement ${uid} at the provider`, expectedOf(uid), stateAtProvider),
    ...differs(`agreement ${uid} in our workflow`, expectedOf(uid), stateHere),
    ...payments.flatMap((payment) => [
      ...differs(`payment ${payment.uid} at the provider`, expectedOf(payment.uid), payment.stateAtProvider),
      ...differs(`payment ${payment.uid} in our workflow`, expectedOf(payment.uid), payment.stateHere),
      ...differs(`submissions of payment ${payment.uid}`, 1, payment.submissions),
      ...differs(`payment ${payment.uid} accepted by the provider`, 1, payment.acceptedByProvider),
      ...differs(`settlements of payment ${payment.uid}`, 1, payment.settlements),
    ]),
  ];
}

/** Resources at the provider that no scenario requested, such as a second payment under another uid. */
function strangers({ state }: Books, intents: readonly Intent[]): string[] {
  const wanted = new Set(intents.map(({ uid }) => uid));
  const met = [...state.agreements, ...state.payments].filter(({ uid }) => !wanted.has(uid));
  return met.map(({ uid }) => `the provider: expected only the requested resources, also found ${uid}`);
}

/** The scenario of lost webhooks proves nothing if one arrived or none was lost. */
function unexpectedDeliveries({ ledger, state }: Books, unheard: string): string[] {
  const payments = state.payments.filter((payment) => payment.agreement_uid === unheard);
  return [unheard, ...payments.map(({ uid }) => uid)].flatMap((uid) => {
    const fates = ledger.flatMap((entry) =>
      entry.kind === 'webhook' && entry.resource_uid === uid ? [String(entry.status)] : [],
    );
    const isLost = fates.length > 0 && fates.every((fate) => fate === 'lost');
    return isLost ? [] : [`webhooks of ${uid}: expected all to be lost, found ${fates.join(', ') || 'none'}`];
  });
}

function tokensIssued({ ledger }: Books): Audit['tokens'] {
  const issued = (grantType: string): number =>
    ledger.filter(
      (entry) => entry.kind === 'token' && entry.outcome === 'issued' && entry.grant_type === grantType,
    ).length;
  return { byConsent: issued('authorization_code'), byRefresh: issued('refresh_token') };
}

/** Expects one consent, one refresh after the five days, and no refused token call. A reused single-use token would be refused. */
function tokenDifferences({ ledger }: Books, { byConsent, byRefresh }: Audit['tokens']): string[] {
  const refused = ledger.flatMap((entry) =>
    entry.kind === 'token' && entry.outcome !== 'issued' ? [entry.outcome] : [],
  );
  return [
    ...(byConsent === 1 ? [] : [`token calls: expected 1 by consent, found ${byConsent}`]),
    ...(byRefresh === 1 ? [] : [`token calls: expected 1 refresh, found ${byRefresh}`]),
    ...refused.map((outcome) => `token calls: expected none refused, found ${outcome}`),
  ];
}
