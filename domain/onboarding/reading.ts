// A reading of a part's resource, from its report or from a query. Pure.
import { adviceOn } from '../provider/reason-codes.js';
import type { AccountIdentifier, Mandate } from '../agreement/mandate.js';
import type { AwaitingWhat, Awaiting } from '../attention/awaiting.js';
import type { Reason } from '../facts/fact.js';

/** Who must act before a step can continue. */
export const ACTORS = ['provider', 'payer', 'caller', 'operator', 'merchant', 'none'] as const;
export type Actor = (typeof ACTORS)[number];

/** Why a part stopped. It has no details, because those may name a person. */
export interface StepFailure {
  code?: string | undefined;
  title?: string | undefined;
  next?: string | undefined;
}

type Identified = { account_identifier: AccountIdentifier };
/** A payment account of a counterparty. */
type Account = Identified & { uid: string };

/** The fields of a part's resource that an onboarding needs. */
export interface Reading {
  /**
   * The resource's state, or one of these. `other`: its uid belongs to a different resource. `missing`: it should exist but does not.
   * `refused`: the payment was not admitted. `not_allowed`: the client may not initiate. `unread`: the call failed.
   * `other_account`: the debtor's account is not the counterparty's.
   */
  state: string;
  waits?: AwaitingWhat | undefined;
  failure?: StepFailure | undefined;
  /** Of a client: the provider's id. */
  clientId?: string | undefined;
  /** Of a client: the provider's id of its parent, if it shows one. */
  parentId?: string | undefined;
  /** Of a counterparty: its current accounts, with their uids at the provider. */
  accounts?: readonly Account[] | undefined;
  /** Of a payment: whether it was sent to the provider. */
  isSent?: boolean | undefined;
}

/** The reading of a uid that belongs to a different resource. @param pointer the first field that differs. */
export const anotherResource = (pointer: string): Reading => ({
  state: 'other',
  failure: { code: 'idempotency_conflict', title: `It differs at ${pointer === '' ? '/uid' : pointer}.` },
});

interface Viewed {
  state: string;
  awaiting: Pick<Awaiting, 'what'>;
}

const readingOf = ({ state, awaiting }: Viewed, reason: Reason | undefined): Reading => ({
  state,
  waits: awaiting.what,
  ...(reason && { failure: { code: reason.code, title: reason.title, next: adviceOn(reason).next } }),
});

export const readClient = (
  view: Viewed & {
    failure?: Reason | undefined;
    clientId?: string | undefined;
    particulars?: { parent_client_id?: string | null | undefined } | undefined;
  },
): Reading => ({
  ...readingOf(view, view.failure),
  clientId: view.clientId,
  parentId: view.particulars?.parent_client_id ?? undefined,
});

export const readCounterparty = (
  view: Viewed & { failure?: Reason | undefined; accounts: readonly Account[] },
): Reading => ({
  ...readingOf(view, view.failure),
  accounts: view.accounts.map(({ uid, account_identifier }) => ({ uid, account_identifier })),
});

export const readAgreement = (view: Viewed & { stateReason?: Reason | undefined }): Reading =>
  readingOf(view, view.stateReason);

export const readPayment = (
  view: Viewed & { failure?: Reason | undefined; submissions: number },
): Reading => ({ ...readingOf(view, view.failure), isSent: view.submissions > 0 });

/** Waits that only a person other than the payer can end. */
const PERSONS: Readonly<Partial<Record<AwaitingWhat, Actor>>> = {
  operator: 'operator',
  reauthorisation: 'merchant',
  consent: 'merchant',
  stop: 'operator',
};

/** The person, other than the payer, that a resource waits for. */
export const personIn = ({ waits }: Pick<Reading, 'waits'>): Actor | undefined =>
  waits === undefined ? undefined : PERSONS[waits];

/** The account of a counterparty that equals the debtor's account. */
const accountOf = <One extends Identified>(
  accounts: readonly One[],
  named: AccountIdentifier | null | undefined,
): One | undefined =>
  accounts.find(({ account_identifier: one }) => one.type === named?.type && one.value === named.value);

/**
 * Whether the agreement's debtor account is not among the counterparty's accounts, so that it was never verified. A debtor that names the uid
 * of an account needs no comparison.
 */
export function isOtherAccount(
  { debtor }: Pick<Mandate, 'debtor'>,
  accounts: readonly Identified[] | undefined,
): boolean {
  const { account_identifier: named, payment_account_uid: uid } = debtor ?? {};
  if (accounts === undefined || named == null || uid != null) return false;
  return accountOf(accounts, named) === undefined;
}

/** Completes the agreement's terms with the ids of the earlier parts. @param accounts of the counterparty; empty if it was skipped. */
export function mandateOf(
  { mandate }: { mandate: Mandate },
  { clientId, accounts = [] }: { clientId?: string | undefined; accounts?: readonly Account[] | undefined },
): Mandate {
  const { initiator, debtor } = mandate;
  const account = accountOf(accounts, debtor?.account_identifier)?.uid;
  return {
    ...mandate,
    ...(clientId !== undefined && { initiator: { ...initiator, client_id: clientId } }),
    ...(account !== undefined && { debtor: { ...debtor, payment_account_uid: account } }),
  };
}
