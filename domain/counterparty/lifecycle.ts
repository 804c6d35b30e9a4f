// The states of a counterparty (docs/provider.md#counterparties), and the checks of a requested one. Pure. The provider never shows a
// counterparty again, so every state is ours. `verifying`: its accounts are being verified. `unverified`: an account is not verified, and
// nothing was sent. `refused`: the provider refused it, and it waits for a correction. `failed`: given up; the provider does not have it.
// `unresolved`: given up; the provider may have it.
import { isAlias } from '../agreement/mandate.js';
import type {
  AccountRequest,
  AccountOrder,
  CounterpartyCorrection,
  CounterpartyOrder,
} from './request.schema.js';
import type { Instant } from '../facts/fact.js';
import type { Lifecycle } from '../facts/fold.js';
import type { ResourceSnapshot } from '../facts/snapshot.js';

export const COUNTERPARTY_STATES = [
  'requested',
  'verifying',
  'unverified',
  'refused',
  'registered',
  'failed',
  'unresolved',
] as const;
export type CounterpartyLifecycleState = (typeof COUNTERPARTY_STATES)[number];

/** The commands by which a person decides about an account or the counterparty. */
export const COUNTERPARTY_CHANGES = ['correction', 'acceptance', 'withdrawal'] as const;
export type CounterpartyChange = (typeof COUNTERPARTY_CHANGES)[number];

const BEFORE = { refused: 'failed', unresolved: 'unresolved', adopted: 'registered' } as const;

/** Verification is not a fact from the provider. Of the first four states, the facts know only `requested`. */
export const COUNTERPARTY_LIFECYCLE: Lifecycle<CounterpartyLifecycleState> = {
  moves: {
    requested: BEFORE,
    verifying: BEFORE,
    unverified: BEFORE,
    refused: BEFORE,
    registered: {},
    failed: {},
    unresolved: {},
  },
  needsLookUp: new Set(),
  still: new Set(['attention_resolved']),
  rank: { requested: 0, verifying: 0, unverified: 0, refused: 0, registered: 1, failed: 1, unresolved: 1 },
  finalRank: 1,
};

/** Whether it was never registered, as far as we know. A registered one stays open, because the provider does not show it. */
export const isCounterpartyFinal = (state: CounterpartyLifecycleState): boolean =>
  state === 'failed' || state === 'unresolved';

/** How an account is verified before it is registered; undefined if no verification was requested. */
export type Check = 'account_validation' | 'alias_resolution' | 'third_party_provider';

/** A PayID is always looked up, because the provider requires it (docs/provider.md#checks). */
export const checkOf = ({
  account_identifier,
  verification,
}: Pick<AccountRequest, 'account_identifier' | 'verification'>): Check | undefined =>
  isAlias(account_identifier) ? 'alias_resolution' : verification?.method;

/** An invalid field, and the expected value. */
export interface CounterpartyFault {
  pointer: string;
  detail: string;
}

/** Whether a client of this category is high risk. @param highRisk the high-risk codes (`HIGH_RISK_MCC`). */
export const isHighRisk = (categoryCode: string | null | undefined, highRisk: readonly string[]): boolean =>
  categoryCode != null && highRisk.includes(categoryCode);

interface Circumstances {
  now: Instant;
  /** The request names the payer. */
  hasPayer: boolean;
  /** The counterparty is for a high-risk client. */
  isHighRisk: boolean;
}

/** Every reason to refuse the counterparty; empty if it may be requested. */
export function faultsOfCounterparty(
  order: Pick<CounterpartyOrder, 'identity'> & { payment_accounts: readonly AccountRequest[] },
  circumstances: Circumstances,
): CounterpartyFault[] {
  const { identity, payment_accounts: accounts } = order;
  return [
    ...(circumstances.isHighRisk ? missingForHighRisk(order) : []),
    ...faultsOfIdentity(identity, circumstances.now),
    ...accounts.flatMap((account, index) => {
      const within = `/payment_accounts/${index}`;
      const isTwice = accounts.findIndex((one) => isSameAccount(one, account)) < index;
      return [
        ...faultsOfAccount(account, circumstances).map(({ pointer, detail }) => ({
          pointer: pointer === '/payer' ? pointer : within + pointer,
          detail,
        })),
        ...(isTwice
          ? [{ pointer: `${within}/account_identifier`, detail: 'expected each account only once' }]
          : []),
      ];
    }),
  ];
}

/** Every reason to refuse an identity, with pointers into the request. */
export const faultsOfIdentity = (
  identity: CounterpartyOrder['identity'],
  now: Instant,
): CounterpartyFault[] => toCome(identity?.verification, '/identity/verification', now);

const isSameAccount = (
  { account_identifier: one }: AccountRequest,
  { account_identifier: other }: AccountRequest,
): boolean => one.type === other.type && one.value === other.value;

const missingForHighRisk = ({
  identity,
  payment_accounts: accounts,
}: Pick<CounterpartyOrder, 'identity'> & {
  payment_accounts: readonly AccountRequest[];
}): CounterpartyFault[] => [
  ...(identity === undefined ? [{ pointer: '/identity', detail: needed('an identity') }] : []),
  ...accounts.flatMap(({ verification }, index) =>
    verification === undefined
      ? [
          {
            pointer: `/payment_accounts/${index}/verification`,
            detail: needed('a verification of each account'),
          },
        ]
      : [],
  ),
];

const needed = (what: string): string => `expected ${what}, because its client is high risk (HIGH_RISK_MCC)`;

const METHOD = '/verification/method';

/** Every reason to refuse an account, with pointers into the account. Only `/payer` points into the request. */
export function faultsOfAccount(
  account: AccountRequest,
  { now, hasPayer }: Omit<Circumstances, 'isHighRisk'>,
): CounterpartyFault[] {
  const { account_identifier: identifier, party_name, verification } = account;
  const isValidated = verification?.method === 'account_validation';
  const faults: [isFault: boolean, pointer: string, detail: string][] = [
    [isValidated && isAlias(identifier), METHOD, 'expected alias_resolution, because the account is a PayID'],
    [
      isValidated && party_name === undefined,
      '/party_name',
      'expected the account holder’s name, which account_validation compares with the bank’s',
    ],
    [
      verification?.method === 'alias_resolution' && !isAlias(identifier),
      METHOD,
      'expected account_validation or third_party_provider, because the account is not a PayID',
    ],
    [
      isAlias(identifier) && !hasPayer,
      '/payer',
      'expected a payer {requester_id, remote_ip}, because we look up the PayID before we use it',
    ],
  ];
  return [
    ...faults.flatMap(([isFault, pointer, detail]) => (isFault ? [{ pointer, detail }] : [])),
    ...toCome(verification, '/verification', now),
  ];
}

/** Refuses evidence of a verification in the future. */
const toCome = (
  verification: AccountRequest['verification'],
  within: string,
  now: Instant,
): CounterpartyFault[] =>
  verification?.method === 'third_party_provider' && Date.parse(verification.verified_at) > Date.parse(now)
    ? [
        {
          pointer: `${within}/verified_at`,
          detail: 'expected a time of verification in the past',
        },
      ]
    : [];

/** Applies a correction to an account. Fields that the correction does not name stay. */
export const corrected = <Account extends AccountRequest>(
  account: Account,
  { account_identifier, party_name, verification }: CounterpartyCorrection,
): Account => ({
  ...account,
  ...(account_identifier !== undefined && { account_identifier }),
  ...(party_name !== undefined && { party_name }),
  ...(verification !== undefined && { verification }),
});

/** How an account was verified, in the provider's terms. */
export interface VerificationSent {
  method: Check;
  provider_name?: string | undefined;
  reference?: string | undefined;
  verified_at?: string | undefined;
}

/** The request that registers a counterparty. */
export interface Registration extends Pick<CounterpartyOrder, 'identity'> {
  payment_accounts: (Pick<AccountOrder, 'uid' | 'account_identifier'> & {
    verification?: VerificationSent | undefined;
  })[];
}

/** Names of account holders are not sent, because the provider has no field for them. */
export const registrationOf = (
  { identity }: Pick<CounterpartyOrder, 'identity'>,
  accounts: readonly (AccountOrder & { reference?: string | undefined })[],
): Registration => ({
  ...(identity !== undefined && { identity }),
  payment_accounts: accounts.map((account) => {
    const { uid, account_identifier } = account;
    const verification = verificationSent(account);
    return { uid, account_identifier, ...(verification !== undefined && { verification }) };
  }),
});

/** Third-party evidence is sent as given. Otherwise we send the method and the reference of our own verification. */
function verificationSent(
  account: AccountOrder & { reference?: string | undefined },
): VerificationSent | undefined {
  const { verification, reference } = account;
  if (verification?.method === 'third_party_provider') return verification;
  const method = checkOf(account);
  return method === undefined ? undefined : { method, ...(reference !== undefined && { reference }) };
}

/** The provider's answer to a registration. It never shows the counterparty again. */
export interface CounterpartySnapshot extends ResourceSnapshot {
  /** The provider's id. */
  counterpartyId?: string | undefined;
  /** The uids of its accounts, in the requested order. */
  accountUids: string[];
  /** The provider refused it because these uids are taken: an earlier submission of ours registered it. */
  isTaken?: true | undefined;
}
