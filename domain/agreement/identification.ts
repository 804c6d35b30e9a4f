// Adding to an agreement of an earlier version the client that initiates it, and the counterparty's account that it debits: the provider's
// five rules as a table (docs/provider.md#identification). Pure. A rule judges only what is known here; the rest is the provider's to judge.
import { isFinal } from './lifecycle.js';
import type { Identification } from './action.schema.js';
import type { AgreementLifecycleState } from './events.js';
import type { AccountIdentifier, Mandate } from './mandate.js';

export type { Identification } from './action.schema.js';

export const IDENTIFICATION_RULES = [
  'adds_only',
  'details_match',
  'account_is_debtors',
  'once',
  'not_final',
] as const;
export type IdentificationRule = (typeof IDENTIFICATION_RULES)[number];

/** A client as it is registered at the provider. */
export interface RegisteredClient {
  legal_name?: string | null | undefined;
  australian_business_number?: string | null | undefined;
  australian_company_number?: string | null | undefined;
}

/** An account of a counterparty, and whether that one is registered at the provider. */
export interface CounterpartyAccount extends AccountIdentifier {
  isRegistered: boolean;
}

/** What is known of an agreement, and of what it is to be given; what is absent is not known. */
export interface Identified {
  state: AgreementLifecycleState;
  mandate?: Mandate | undefined;
  ask: Identification;
  client?: RegisteredClient | undefined;
  /** The account that is named. */
  account?: CounterpartyAccount | undefined;
}

export interface IdentificationRefusal {
  rule: IdentificationRule;
  /** JSON pointer into the request; the whole of it is ''. */
  pointer: '' | '/initiator/client_id' | '/debtor/payment_account_uid';
  detail: string;
}

type Judge = (identified: Identified) => Omit<IdentificationRefusal, 'rule'>[];

interface Identifier {
  pointer: '/initiator/client_id' | '/debtor/payment_account_uid';
  requested: string | undefined;
  /** Null where the provider says that there is none: which for a client may also mean the primary one. */
  current: string | null | undefined;
}

const identifiersOf = ({ ask, mandate }: Identified): Identifier[] => [
  {
    pointer: '/initiator/client_id',
    requested: ask.initiator?.client_id,
    current: mandate?.initiator?.client_id,
  },
  {
    pointer: '/debtor/payment_account_uid',
    requested: ask.debtor?.payment_account_uid,
    current: mandate?.debtor?.payment_account_uid,
  },
];

const isThere = ({ requested, current }: Identifier): boolean =>
  requested === undefined || requested === current;

/** Whether the agreement shows all that was to be added. */
export const isIdentified = (mandate: Mandate | undefined, ask: Identification): boolean =>
  identifiersOf({ state: 'active', mandate, ask }).every(isThere);

/** The agreement's field beside the client's, for each detail that has to be the same. */
const DETAILS = [
  ['legal_name', 'legal_name'],
  ['abn', 'australian_business_number'],
  ['acn', 'australian_company_number'],
] as const;

const JUDGES: Readonly<Record<IdentificationRule, Judge>> = {
  adds_only: (identified) =>
    identifiersOf(identified).flatMap((one) =>
      typeof one.current === 'string' && !isThere(one)
        ? [
            {
              pointer: one.pointer,
              detail: 'expected none yet: another one was added, and none can be changed',
            },
          ]
        : [],
    ),
  details_match: ({ mandate, client }) =>
    DETAILS.flatMap(([onAgreement, onClient]) => {
      const [theirs, ours] = [mandate?.initiator?.[onAgreement], client?.[onClient]];
      if (typeof theirs !== 'string' || client === undefined || ours === undefined || theirs === ours)
        return [];
      const detail = `expected a client whose ${onClient} is the ${onAgreement} of the agreement's initiator`;
      return [{ pointer: '/initiator/client_id', detail }];
    }),
  account_is_debtors: ({ mandate, account }) => {
    const debtors = mandate?.debtor?.account_identifier;
    if (account === undefined) return [];
    const pointer = '/debtor/payment_account_uid';
    if (!account.isRegistered)
      return [{ pointer, detail: 'expected an account of a counterparty that is registered' }];
    // A PayID and the account behind it may be the same.
    if (account.type !== debtors?.type || account.value === debtors.value) return [];
    return [
      { pointer, detail: "expected the counterparty's account to be the debtor's account of the agreement" },
    ];
  },
  once: (identified) => {
    const requested = identifiersOf(identified).filter((one) => one.requested !== undefined);
    return requested
      .filter(isThere)
      .map(({ pointer }) => ({ pointer, detail: 'expected none yet: this very one was added before' }));
  },
  not_final: ({ state }) =>
    isFinal(state)
      ? [{ pointer: '', detail: `expected an agreement that is not over; this one is ${state}` }]
      : [],
};

/** Every rule that refuses this, as far as is known here, in the order of the provider's list; none where it may be sent. */
export const refusalsOfIdentification = (identified: Identified): IdentificationRefusal[] =>
  IDENTIFICATION_RULES.flatMap((rule) => JUDGES[rule](identified).map((refusal) => ({ rule, ...refusal })));
