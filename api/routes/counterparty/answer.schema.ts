// Responses for counterparties, built from the views of their workflows.
import { z } from 'zod';
import { COUNTERPARTY_CHANGES, COUNTERPARTY_STATES } from '../../../domain/counterparty/lifecycle.js';
import { PartyAnswered } from '../../../domain/agreement/mandate.schema.js';
import { OUTCOMES, consequenceOf } from '../../../domain/counterparty/verification.js';
import type { CounterpartyView } from '../../../workflows/counterparty/contract.js';
import { recordedLinks } from '../links.js';
import type { TemporalUi } from '../links.js';
import { apiResource } from '../resource.js';
import type { AnswerContext } from '../resource.js';
import type { Gateway } from '../../gateway/create.js';
import { viewStates } from '../../http/list-parameters.schema.js';
import {
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

const Verification = z
  .object({
    outcome: z.enum(OUTCOMES).meta({ description: 'The outcome of the verification.' }),
    at: InstantSchema,
    result: z.string().nullable().meta({ description: 'The provider’s result or code.' }),
    reference: z.string().nullable().meta({ description: 'The uid of our request to the provider.' }),
    account_name: z.string().nullable().meta({
      description:
        'The name of the account holder, as returned by the bank or the PayID. Only for API keys with the scope `operate`. Never show it to the payer.',
    }),
    detail: z.string(),
    next: z.string().meta({ description: 'The recommended action for a person.' }),
    again_at: InstantSchema.nullable().meta({ description: 'The time of the next attempt.' }),
  })
  .meta({ id: 'AccountVerificationOutcome' });

const PaymentAccount = z
  .object({
    uid: z
      .string()
      .meta({ description: 'The uid of the account. Agreements refer to it as `payment_account_uid`.' }),
    account_identifier: PartyAnswered.shape.account_identifier,
    party_name: z.string().nullable(),
    verification: Evidence.nullable().meta({ description: 'The verification evidence from the request.' }),
    is_cleared: z.boolean().meta({ description: 'True if the account may be registered.' }),
    outcome: Verification.nullable(),
    tries: z.int().meta({ description: 'The number of verification attempts.' }),
  })
  .meta({ id: 'PaymentAccount' });

const Change = z
  .object({
    kind: z.enum(COUNTERPARTY_CHANGES),
    payment_account_uid: z.string().nullable(),
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
      .meta({ description: 'The provider’s id of the counterparty. Null until it is known.' }),
    connection: z.string().nullable(),
    client_id: z.string().nullable(),
    identity: z.object({ legal_name: z.string(), verification: Evidence }).nullable(),
    payment_accounts: z.array(PaymentAccount),
    state: z.enum(COUNTERPARTY_VIEW_STATES),
    state_since: InstantSchema,
    adopted: z.boolean().meta({
      description:
        'True if the counterparty counts as registered without a confirmation by the provider: its account uids were already taken there, or an operator decided so.',
    }),
    failure: Reason.pick({ code: true, title: true, next: true }).nullable(),
    ...REQUESTED,
    submissions: z
      .int()
      .meta({ description: 'The number of submissions to the provider, without refused ones.' }),
    changes: z.array(Change).meta({ description: 'Corrections, acceptances and withdrawals, newest last.' }),
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
): z.output<typeof Verification> {
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
});
