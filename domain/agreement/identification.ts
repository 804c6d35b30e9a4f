// Adds the initiating client and the counterparty's account to an agreement of an earlier version. The provider's five rules are a table
// (docs/provider.md#identification). A rule judges only data that is stored here; the provider judges the rest.
import {
  faultOfAccount,
  initiationOf,
  refusalsOfInitiation,
  type HighRisk,
  type InitiationReader,
  type PaymentAccount,
} from '../client/may-initiate.js';
import { isFinal } from './lifecycle.js';
import type { Identification } from './action.schema.js';
import type { AgreementLifecycleState } from './events.js';
import type { Mandate } from './mandate.js';

export type { Identification } from './action.schema.js';

const IDENTIFICATION_RULES = [
  'adds_only',
  'details_match',
  'account_is_debtors',
  'once',
  'not_final',
] as const;
export type IdentificationRule = (typeof IDENTIFICATION_RULES)[number];

/** A client as registered at the provider. */
export interface RegisteredClient {
  legal_name?: string | null | undefined;
  business_names?: string[] | null | undefined;
  australian_business_number?: string | null | undefined;
  australian_company_number?: string | null | undefined;
}

/** An agreement and the requested identification. An absent field is unknown. */
export interface Identified {
  state: AgreementLifecycleState;
  mandate?: Mandate | undefined;
  ask: Identification;
  client?: RegisteredClient | undefined;
  account?: PaymentAccount | undefined;
}

export interface IdentificationRefusal {
  rule: IdentificationRule;
  /** JSON pointer into the request; '' is the whole request. */
  pointer: '' | '/initiator/client_id' | '/debtor/payment_account_uid';
  detail: string;
}

type Judge = (identified: Identified) => Omit<IdentificationRefusal, 'rule'>[];

interface Identifier {
  pointer: '/initiator/client_id' | '/debtor/payment_account_uid';
  requested: string | undefined;
  /** Null if the provider shows none. For a client, null may also mean the primary client. */
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

/** Whether the agreement shows every requested identifier. */
export const isIdentified = (mandate: Mandate | undefined, ask: Identification): boolean =>
  identifiersOf({ state: 'active', mandate, ask }).every(isThere);

/** The fields of the agreement's initiator that must equal those of the client. */
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
              detail: 'expected no identifier yet: another one is set, and it is permanent',
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
        : ["expected a client with the name of the agreement's initiator among its registered names"]),
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
      .map(({ pointer }) => ({ pointer, detail: 'expected no identifier yet: this one was added already' }));
  },
  not_final: ({ state }) =>
    isFinal(state)
      ? [{ pointer: '', detail: `expected an agreement that has not ended; this one is ${state}` }]
      : [],
};

/** Every rule that refuses the request, in the order of the provider's list; empty if it may be sent. */
export const refusalsOfIdentification = (identified: Identified): IdentificationRefusal[] =>
  IDENTIFICATION_RULES.flatMap((rule) => JUDGES[rule](identified).map((refusal) => ({ rule, ...refusal })));

/** A rule of identification, or why the client may not initiate the agreement. */
export interface IdentifyRefusal {
  code: IdentificationRule | 'client_not_active' | 'provider_would_refuse';
  pointer: string;
  detail: string;
}

/** Judges the identification by the five rules, and by whether the client may initiate the agreement. */
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
  // If the request adds no client, the service of the agreement's existing client is not judged.
  return [
    ...byRules,
    ...refusalsOfInitiation({ ...initiation, line: ask.initiator === undefined ? [] : initiation.line }),
  ];
}
