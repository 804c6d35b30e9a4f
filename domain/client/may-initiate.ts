// Decides whether a client may initiate an agreement. Single agreements, batches, identifications and onboardings share this decision
// (docs/provider.md#who-may-initiate). The provider judges clients and accounts that are not followed here.
import { checkOf, isHighRisk, type CounterpartyLifecycleState } from '../counterparty/lifecycle.js';
import type { AccountOrder, CounterpartyOrder } from '../counterparty/request.schema.js';
import type { AccountIdentifier, Mandate } from '../agreement/mandate.js';
import { lineageOf, refusalToInitiate, type FoundClient, type LineageEntry } from './lifecycle.js';

/** The high-risk merchant categories, and the primary client's category if it is configured. */
export interface HighRisk {
  codes: readonly string[];
  primary: string | undefined;
}

/** A payment account of a counterparty that is followed here. */
export interface PaymentAccount extends AccountIdentifier {
  connectionId?: string | undefined;
  isRegistered: boolean;
  /** Registered with an identity and a verification of this account, which high-risk clients require. */
  isVerified: boolean;
}

/** The initiator and the payer of an agreement. */
export interface Initiating {
  connectionId: string | undefined;
  /** Suspended clients above the initiator block only new agreements. */
  isNew: boolean;
  initiator?: Pick<NonNullable<Mandate['initiator']>, 'client_id' | 'name'> | null | undefined;
  debtor?:
    Pick<NonNullable<Mandate['debtor']>, 'payment_account_uid' | 'account_identifier'> | null | undefined;
}

/** With the client and the account as stored here. An absent field is not judged. */
export interface Initiation extends Initiating {
  /** The client, then those above it; empty if its service is not judged yet. */
  line: readonly LineageEntry[];
  client?: FoundClient | undefined;
  account?: PaymentAccount | undefined;
  highRisk: HighRisk;
  /** A counterparty with an identity and verified accounts is registered before the agreement, as in an onboarding. */
  isVerifiedBefore?: boolean | undefined;
}

export interface InitiationRefusal {
  code: 'client_not_active' | 'provider_would_refuse';
  /** JSON pointer into the agreement. */
  pointer: '/initiator/client_id' | '/initiator/name' | '/debtor/payment_account_uid';
  detail: string;
}

/** Every reason why this client may not initiate this agreement; empty if we know of none. */
export const refusalsOfInitiation = (initiation: Initiation): InitiationRefusal[] => [
  ...ofClient(initiation),
  ...ofAccount(initiation),
  ...ofRisk(initiation),
];

/** Looks up clients and accounts for the API and activities; undefined if one is not followed here. */
export interface InitiationReader {
  /** @param clientId the provider's id. */
  client: (clientId: string) => Promise<FoundClient | undefined>;
  account: (uid: string) => Promise<PaymentAccount | undefined>;
}

/** Reads everything that the decision needs. */
export async function initiationOf(
  reader: InitiationReader,
  initiating: Initiating,
  highRisk: HighRisk,
): Promise<Initiation> {
  const { client_id: clientId } = initiating.initiator ?? {};
  const { payment_account_uid: accountUid } = initiating.debtor ?? {};
  const line = clientId == null ? [] : await lineageOf(clientId, reader.client);
  const account = accountUid == null ? undefined : await reader.account(accountUid);
  return { ...initiating, line, client: line[0]?.found, account, highRisk };
}

/** The fields of a stored counterparty that decide whether an account is verified. */
interface FoundCounterparty {
  connectionId?: string | undefined;
  state: CounterpartyLifecycleState | 'unknown';
  order: Pick<CounterpartyOrder, 'identity'>;
  accounts: (AccountOrder & { isCleared: boolean })[];
}

/** The payment accounts of a counterparty, by uid. */
export const paymentAccountsOf = (found: FoundCounterparty): [uid: string, account: PaymentAccount][] =>
  found.accounts.map((account) => {
    const isRegistered = found.state === 'registered';
    const isChecked = account.isCleared && checkOf(account) !== undefined;
    const isVerified = isRegistered && isChecked && found.order.identity !== undefined;
    const { connectionId } = found;
    return [account.uid, { ...account.account_identifier, connectionId, isRegistered, isVerified }];
  });

const refuse = (pointer: InitiationRefusal['pointer'], detail: string): InitiationRefusal => ({
  code: 'provider_would_refuse',
  pointer,
  detail,
});

const CLIENT = '/initiator/client_id';
const ACCOUNT = '/debtor/payment_account_uid';

function ofClient({ client, line, connectionId, isNew, initiator }: Initiation): InitiationRefusal[] {
  if (client === undefined) return [];
  const elsewhere = otherConnection('a client', client, connectionId);
  if (elsewhere !== undefined) return [refuse(CLIENT, elsewhere)];
  const refusals: InitiationRefusal[] = [];
  const detail = refusalToInitiate(isNew ? line : line.slice(0, 1));
  if (detail !== undefined) refusals.push({ code: 'client_not_active', pointer: CLIENT, detail });
  if (isNew && !hasNumber(client))
    refusals.push(refuse(CLIENT, 'expected a client with an ABN or ACN; this one has neither (ZPAGR01)'));
  if (initiator?.name != null && !namesOf(client).includes(initiator.name))
    refusals.push(
      refuse('/initiator/name', `expected a name that is registered on /v1/clients/${client.uid}`),
    );
  return refusals;
}

function ofAccount({ account, connectionId, isNew, debtor }: Initiation): InitiationRefusal[] {
  if (account === undefined) return [];
  const detail =
    otherConnection('an account', account, connectionId) ??
    (isNew ? faultOfAccount(account, debtor?.account_identifier) : undefined);
  return detail === undefined ? [] : [refuse(ACCOUNT, detail)];
}

/** A high-risk client needs a verified payer (docs/provider.md#counterparties). */
function ofRisk(initiation: Initiation): InitiationRefusal[] {
  const { account, debtor, highRisk, isVerifiedBefore } = initiation;
  if (isVerifiedBefore === true || !isHighRisk(categoryOf(initiation), highRisk.codes)) return [];
  if (account?.isVerified === true) return [];
  const uid = debtor?.payment_account_uid;
  const met =
    uid == null
      ? 'the debtor names none'
      : account === undefined
        ? 'this one is unknown here, so register it with POST /v1/counterparties'
        : 'this one is not verified';
  const expected =
    'expected a payment account of a registered counterparty with an identity and a verification of the account';
  return [refuse(ACCOUNT, `${expected}, because the client is high risk (HIGH_RISK_MCC); ${met}`)];
}

/** An agreement of an earlier version names no client, so any client may have initiated it. */
function categoryOf({ client, initiator, isNew, highRisk }: Initiation): string | undefined {
  if (client !== undefined) return merchantCategoryOf(client);
  return isNew && initiator?.client_id == null ? highRisk.primary : undefined;
}

/** The category that the provider showed last; until then, the requested one. */
export const merchantCategoryOf = ({ order, particulars }: FoundClient): string =>
  particulars?.merchant_category_code ?? order.merchant_category_code;

const otherConnection = (
  what: string,
  { connectionId: met }: { connectionId?: string | undefined },
  expected: string | undefined,
): string | undefined =>
  met === undefined || expected === undefined || met === expected
    ? undefined
    : `expected ${what} of connection ${expected}`;

/** A field that the provider does not return has its requested value. Null is a returned value. */
const hasNumber = ({ order, particulars }: FoundClient): boolean =>
  (['australian_business_number', 'australian_company_number'] as const).some((field) => {
    const number = particulars?.[field] === undefined ? order[field] : particulars[field];
    return number !== undefined && number !== null;
  });

const namesOf = ({ order, particulars }: FoundClient): string[] => [
  particulars?.legal_name ?? order.legal_name,
  ...(particulars?.business_names ?? order.business_names),
];

/** Why the account cannot be the debtor's: its counterparty is not registered, or the debtor has another account. */
export function faultOfAccount(
  account: PaymentAccount,
  debtors: AccountIdentifier | null | undefined,
): string | undefined {
  if (!account.isRegistered) return 'expected an account of a registered counterparty';
  // A PayID and a BSB account number may identify the same account.
  if (account.type !== debtors?.type || account.value === debtors.value) return undefined;
  return "expected the counterparty's account to equal the debtor's account in the agreement";
}
