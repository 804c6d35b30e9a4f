// Adding to an agreement of an earlier version the client that initiates it, and the counterparty's account that it debits: the provider's
// five rules as a table (docs/provider.md#identification). A rule judges only what is known here; the rest is the provider's to judge.
import { faultOfAccount, initiationOf, refusalsOfInitiation } from '../client/may-initiate.js';
import type { HighRisk, InitiationReader, PaymentAccount } from '../client/may-initiate.js';
import { isFinal } from './lifecycle.js';
import type { Identification } from './action.schema.js';
import type { AgreementLifecycleState } from './events.js';
import type { Mandate } from './mandate.js';

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
  business_names?: string[] | null | undefined;
  australian_business_number?: string | null | undefined;
  australian_company_number?: string | null | undefined;
}

/** What is known of an agreement, and of what it is to be given; what is absent is not known. */
export interface Identified {
  state: AgreementLifecycleState;
  mandate?: Mandate | undefined;
  ask: Identification;
  client?: RegisteredClient | undefined;
  /** The account that is named. */
  account?: PaymentAccount | undefined;
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
  details_match: ({ mandate, client }) => {
    const unlike = DETAILS.filter(([onAgreement, onClient]) => {
      const [theirs, ours] = [mandate?.initiator?.[onAgreement], client?.[onClient]];
      return typeof theirs === 'string' && client !== undefined && ours !== undefined && theirs !== ours;
    }).map(
      ([onAgreement, onClient]) =>
        `expected a client whose ${onClient} is the ${onAgreement} of the agreement's initiator`,
    );
    const { legal_name: legalName, business_names: names } = client ?? {};
    const { name } = mandate?.initiator ?? {};
    const canCompare = name != null && names != null && legalName != null;
    const isRegistered = !canCompare || [legalName, ...names].includes(name);
    return [
      ...unlike,
      ...(isRegistered
        ? []
        : ["expected a client on which the name of the agreement's initiator is registered"]),
    ].map((detail) => ({ pointer: '/initiator/client_id', detail }));
  },
  account_is_debtors: ({ mandate, account }) => {
    const detail = account && faultOfAccount(account, mandate?.debtor?.account_identifier);
    return detail === undefined ? [] : [{ pointer: '/debtor/payment_account_uid', detail }];
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

/** A rule of identification, or why the client may not initiate the agreement. */
export interface IdentifyRefusal {
  code: IdentificationRule | 'client_not_active' | 'provider_would_refuse';
  pointer: string;
  detail: string;
}

/** Reads the client and the account, and judges the identification by the five rules and by whether the client may initiate. */
export async function refusalsToIdentify(
  reader: InitiationReader,
  agreement: Pick<Identified, 'state' | 'mandate'> & { connectionId?: string | undefined },
  ask: Identification,
  highRisk: HighRisk,
): Promise<IdentifyRefusal[]> {
  const { connectionId, state, mandate } = agreement;
  const initiator = ask.initiator ?? { client_id: mandate?.initiator?.client_id };
  const debtor = ask.debtor ?? mandate?.debtor;
  const initiation = await initiationOf(reader, { connectionId, isNew: false, initiator, debtor }, highRisk);
  const { client, account } = initiation;
  const byRules = refusalsOfIdentification({
    ...{ state, mandate, ask },
    client: ask.initiator && (client?.particulars ?? client?.order),
    account: ask.debtor && account,
  }).map(({ rule, ...refusal }) => ({ code: rule, ...refusal }));
  // Of a client that the agreement has already the service is not judged.
  return [
    ...byRules,
    ...refusalsOfInitiation({ ...initiation, line: ask.initiator === undefined ? [] : initiation.line }),
  ];
}
