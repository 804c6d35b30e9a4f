// Responses for counterparties, built from the views of their workflows.
import { z } from 'zod';
import { COUNTERPARTY_CHANGES, COUNTERPARTY_STATES } from '../../../domain/counterparty/lifecycle.js';
import { PartyAnswered } from '../../../domain/agreement/mandate.schema.js';
import { OUTCOMES, consequenceOf } from '../../../domain/counterparty/verification.js';
import type { CounterpartyView } from '../../../workflows/counterparty/contract.js';
import { recordedLinks, type TemporalUi } from '../links.js';
import { apiResource, type AnswerContext } from '../resource.js';
import type { Gateway } from '../../gateway/create.js';
import { viewStates } from '../../http/list-parameters.schema.js';
import {
  ConnectionOf,
  FOLLOWED,
  InstantSchema,
  REQUESTED,
  Reason,
  followedOf,
  linksSchema,
  requestedOf,
} from '../../http/answer-parts.schema.js';

export const COUNTERPARTY_VIEW_STATES = viewStates(COUNTERPARTY_STATES);

const Evidence = z
  .object({
    method: z.string(),
    provider_name: z.string().nullable(),
    reference: z.string().nullable(),
    verified_at: z.string().nullable(),
  })
  .meta({ id: 'CounterpartyVerification' });

export const VerificationOutcome = z
  .object({
    outcome: z.enum(OUTCOMES).meta({
      description:
        'The outcome. `match`, `resolved` and `evidence` clear the account. `close_match` needs a person. `unconfirmed`, `limit` and `unanswered` are repeated. All others need a correction.',
    }),
    at: InstantSchema,
    result: z.string().nullable().meta({ description: 'The result or code that the provider returned.' }),
    reference: z.string().nullable().meta({
      description:
        'The uid under which the provider has the verification. Give it to the provider’s support. Null if none was sent.',
    }),
    account_name: z.string().nullable().meta({
      description:
        'The name of the account holder, as returned by the bank or the PayID. Only for API keys with the scope `operate`. Never show it to the payer.',
    }),
    detail: z.string().meta({ description: 'What the outcome means.' }),
    next: z.string().meta({ description: 'What a person should do.' }),
    again_at: InstantSchema.nullable().meta({
      description: 'When the verification is repeated. Null if it is not.',
    }),
  })
  .meta({
    id: 'AccountVerificationOutcome',
    description: 'The latest verification of the account. Null until one has ended.',
  });

const PaymentAccount = z
  .object({
    uid: z
      .string()
      .meta({ description: 'The uid of the account. Agreements refer to it as `payment_account_uid`.' }),
    account_identifier: PartyAnswered.shape.account_identifier,
    party_name: z
      .string()
      .nullable()
      .meta({ description: 'The account holder, as the request named them. Null if it did not.' }),
    verification: Evidence.nullable().meta({
      description: 'How the request wants the account to be verified. Null if it did not say so.',
    }),
    is_cleared: z.boolean().meta({ description: 'True if the account may be registered.' }),
    outcome: VerificationOutcome.nullable(),
    tries: z.int().meta({ description: 'How often the account was verified.' }),
  })
  .meta({ id: 'PaymentAccount' });

const Change = z
  .object({
    kind: z.enum(COUNTERPARTY_CHANGES),
    payment_account_uid: z
      .string()
      .nullable()
      .meta({ description: 'The account that it concerns. Null if it concerns the counterparty.' }),
    reason: z.string(),
    by: z.string().meta({ description: 'The principal that requested the change.' }),
    at: InstantSchema,
  })
  .meta({ id: 'CounterpartyChange' });

const Counterparty = z
  .object({
    uid: z.string(),
    counterparty_id: z
      .string()
      .nullable()
      .meta({ description: 'The provider’s id of the counterparty. Null until the provider returns it.' }),
    connection: ConnectionOf,
    client_id: z.string().nullable().meta({
      description: 'The provider’s id of the client whose agreements use it. Null means the primary client.',
    }),
    identity: z
      .object({ legal_name: z.string(), verification: Evidence })
      .nullable()
      .meta({ description: 'The verified identity from the request. Null if it had none.' }),
    payment_accounts: z.array(PaymentAccount),
    state: z.enum(COUNTERPARTY_VIEW_STATES).meta({
      description:
        '`requested` and `verifying`: nothing was sent yet. `unverified`: an account needs a correction or an acceptance. `refused`: the provider refused it; correct it. ' +
        '`registered`: agreements may name its accounts. `failed`: it was given up. `unresolved`: it was given up, and the provider may have it.',
    }),
    state_since: InstantSchema,
    adopted: z.boolean().meta({
      description:
        'True if the counterparty counts as registered without a confirmation by the provider: its account uids were already taken there, or an operator decided so.',
    }),
    failure: Reason.pick({ code: true, title: true, next: true })
      .nullable()
      .meta({ description: 'Why the provider refused it, or why it was given up. Null otherwise.' }),
    ...REQUESTED,
    submissions: z
      .int()
      .meta({ description: 'How often it was sent to the provider. Refused submissions do not count.' }),
    changes: z
      .array(Change)
      .meta({ description: 'Shows each correction, acceptance and withdrawal, newest last.' }),
    ...FOLLOWED,
    links: linksSchema({}),
  })
  .meta({ id: 'Counterparty' });
type Counterparty = z.output<typeof Counterparty>;

interface Given {
  method: string;
  provider_name?: string;
  reference?: string;
  verified_at?: string;
}

const evidenceAnswer = (given: Given): z.output<typeof Evidence> => ({
  method: given.method,
  provider_name: given.provider_name ?? null,
  reference: given.reference ?? null,
  verified_at: given.verified_at ?? null,
});

/** @param seesNames whether the caller's key may see the names of account holders. */
const accountAnswer =
  (seesNames: boolean) =>
  (account: CounterpartyView['accounts'][number]): z.output<typeof PaymentAccount> => ({
    uid: account.uid,
    account_identifier: account.account_identifier,
    party_name: account.party_name ?? null,
    verification: account.verification === undefined ? null : evidenceAnswer(account.verification),
    is_cleared: account.isCleared,
    outcome: account.checked === undefined ? null : outcomeAnswer(account.checked, seesNames),
    tries: account.tries,
  });

function outcomeAnswer(
  checked: NonNullable<CounterpartyView['accounts'][number]['checked']>,
  seesNames: boolean,
): z.output<typeof VerificationOutcome> {
  const { detail, next } = consequenceOf(checked);
  return {
    outcome: checked.outcome,
    at: checked.at,
    result: checked.result ?? null,
    reference: checked.reference ?? null,
    account_name: seesNames ? (checked.name ?? null) : null,
    detail,
    next: [checked.next, next].filter(Boolean).join(' '),
    again_at: checked.notBefore ?? null,
  };
}

function counterpartyAnswer(
  ui: TemporalUi,
  view: CounterpartyView,
  { isOperator }: AnswerContext,
): Counterparty {
  const { order, failure, identity } = view;
  return {
    uid: view.uid,
    counterparty_id: view.counterpartyId ?? null,
    connection: view.connectionId ?? null,
    client_id: order.client_id ?? null,
    identity:
      identity === undefined
        ? null
        : { legal_name: identity.legal_name, verification: evidenceAnswer(identity.verification) },
    payment_accounts: view.accounts.map(accountAnswer(isOperator)),
    state: view.state,
    state_since: view.stateSince,
    adopted: view.adopted,
    failure:
      failure === undefined
        ? null
        : { code: failure.code ?? null, title: failure.title ?? null, next: failure.next ?? null },
    ...requestedOf(view),
    submissions: view.submissions,
    changes: view.changes.map(({ accountUid, ...change }) => ({
      ...change,
      payment_account_uid: accountUid ?? null,
    })),
    ...followedOf(view),
    links: recordedLinks(ui, 'counterparty', view.uid, {}),
  };
}

export const COUNTERPARTY = apiResource<{
  View: CounterpartyView;
  Answer: Counterparty;
  Gateway: Gateway['counterparties'];
}>({
  name: 'counterparty',
  tag: 'counterparties',
  gateway: ({ counterparties }) => counterparties,
  schema: Counterparty,
  answer: counterpartyAnswer,
  // It has its outcome, or a person must act.
  isDecided: ({ state, awaiting }) =>
    state === 'registered' || state === 'failed' || state === 'unresolved' || awaiting.what === 'operator',
  guide: {
    read: 'onboarding.md#read-a-counterparty',
    fields:
      'In state `registered`, agreements may name its accounts by their `uid`. In state `unverified` or `refused`, `outcome` of each account or `failure` says what to correct.',
    decided: 'the counterparty is registered, has failed, or waits for a person',
  },
});
