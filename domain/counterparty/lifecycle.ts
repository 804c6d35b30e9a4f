// The life of a counterparty (docs/provider.md#counterparties), and what is wrong with one that is asked for. Pure. The provider shows none
// of it again: each state is ours. `verifying`: its accounts are looked into; `unverified`: one stands in the way, and nothing was sent;
// `refused`: the provider refused it, and it waits for a correction; `failed`: it was given up, and is not at the provider; `unresolved`: it
// was given up, and may be at the provider.
import { isAlias } from '../agreement/mandate.js';
import type {
  AccountRequest,
  AccountOrder,
  CounterpartyCorrection,
  CounterpartyOrder,
} from './request.schema.js';
import type { Instant } from '../facts/fact.js';
import type { Lifecycle } from '../facts/fold.js';

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

/** What a person says of an account, by command. */
export const COUNTERPARTY_CHANGES = ['correction', 'acceptance', 'withdrawal'] as const;
export type CounterpartyChange = (typeof COUNTERPARTY_CHANGES)[number];

const BEFORE = { refused: 'failed', unresolved: 'unresolved', adopted: 'registered' } as const;

/** How its accounts stand is no fact of the provider's: of the first four the facts know `requested` alone. */
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

/** Whether it never came to be, as far as is known. What is registered is kept: the provider does not show it. */
export const isCounterpartyFinal = (state: CounterpartyLifecycleState): boolean =>
  state === 'failed' || state === 'unresolved';

/** How an account is looked into before it is registered; nothing where that is not asked for. */
export const CHECKS = ['account_validation', 'alias_resolution', 'third_party_provider'] as const;
export type Check = (typeof CHECKS)[number];

/** A PayID is looked up whatever was asked for: the provider demands it (docs/provider.md#checks). */
export const checkOf = ({
  account_identifier,
  verification,
}: Pick<AccountRequest, 'account_identifier' | 'verification'>): Check | undefined =>
  isAlias(account_identifier) ? 'alias_resolution' : verification?.method;

/** A field with what was expected of it. */
export interface CounterpartyFault {
  pointer: string;
  detail: string;
}

/** Whether a client of this category is of high risk. @param highRisk the codes that are (`HIGH_RISK_MCC`). */
export const isHighRisk = (categoryCode: string | null | undefined, highRisk: readonly string[]): boolean =>
  categoryCode != null && highRisk.includes(categoryCode);

interface Circumstances {
  now: Instant;
  /** It is known who asks, and from where. */
  hasPayer: boolean;
  /** The client that it is for is of high risk. */
  isHighRisk: boolean;
}

/** Why it could not be registered, each with its place; none where it may be asked for. */
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
          ? [{ pointer: `${within}/account_identifier`, detail: 'expected each account once' }]
          : []),
      ];
    }),
  ];
}

/** Why an identity could not be registered, by places within the request. */
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

const needed = (what: string): string =>
  `expected ${what}: the client that it is for is of high risk (HIGH_RISK_MCC)`;

const METHOD = '/verification/method';

/** Why an account could not be looked into as is asked for, by places within it, but for `/payer`. */
export function faultsOfAccount(
  account: AccountRequest,
  { now, hasPayer }: Omit<Circumstances, 'isHighRisk'>,
): CounterpartyFault[] {
  const { account_identifier: identifier, party_name, verification } = account;
  const isValidated = verification?.method === 'account_validation';
  const faults: [isFault: boolean, pointer: string, detail: string][] = [
    [
      isValidated && isAlias(identifier),
      METHOD,
      'expected alias_resolution: the account is named by a PayID',
    ],
    [
      isValidated && party_name === undefined,
      '/party_name',
      'expected whose account it is, as account_validation compares it with the bank’s',
    ],
    [
      verification?.method === 'alias_resolution' && !isAlias(identifier),
      METHOD,
      'expected account_validation or third_party_provider: the account is named by no PayID',
    ],
    [
      isAlias(identifier) && !hasPayer,
      '/payer',
      'expected who asks, and from where: a PayID is looked up before it is used',
    ],
  ];
  return [
    ...faults.flatMap(([isFault, pointer, detail]) => (isFault ? [{ pointer, detail }] : [])),
    ...toCome(verification, '/verification', now),
  ];
}

/** Evidence of a verification that is still to come. */
const toCome = (
  verification: AccountRequest['verification'],
  within: string,
  now: Instant,
): CounterpartyFault[] =>
  verification?.method === 'third_party_provider' && Date.parse(verification.verified_at) > Date.parse(now)
    ? [{ pointer: `${within}/verified_at`, detail: 'expected when it was verified, which is in the past' }]
    : [];

/** An account as it is once it has been corrected: what is not said stays. */
export const corrected = <Account extends AccountRequest>(
  account: Account,
  { account_identifier, party_name, verification }: CounterpartyCorrection,
): Account => ({
  ...account,
  ...(account_identifier !== undefined && { account_identifier }),
  ...(party_name !== undefined && { party_name }),
  ...(verification !== undefined && { verification }),
});

/** How an account was verified, in the provider's words. */
export interface VerificationSent {
  method: Check;
  provider_name?: string | undefined;
  reference?: string | undefined;
  verified_at?: string | undefined;
}

/** What is sent to register one. */
export interface Registration extends Pick<CounterpartyOrder, 'identity'> {
  payment_accounts: (Pick<AccountOrder, 'uid' | 'account_identifier'> & {
    verification?: VerificationSent | undefined;
  })[];
}

/** What is sent once nothing stands in the way. The names of accounts stay here: the provider has no field for them. */
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

/** Evidence of a third party as it was given; of the provider's own services, under which reference they were asked. */
function verificationSent(
  account: AccountOrder & { reference?: string | undefined },
): VerificationSent | undefined {
  const { verification, reference } = account;
  if (verification?.method === 'third_party_provider') return verification;
  const method = checkOf(account);
  return method === undefined ? undefined : { method, ...(reference !== undefined && { reference }) };
}
