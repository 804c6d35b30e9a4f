// Responses for agreements, built from the view of the agreement workflow. The mandate's fields are less strict than in requests,
// because the provider may have written them.
import { z } from 'zod';
import { ACTION_STAGES } from '../../../domain/agreement/action.js';
import { ACTION_KINDS, AGREEMENT_STATES } from '../../../domain/agreement/events.js';
import { present, presentShape } from '../../../domain/provider/answer.schema.js';
import { MandateAnswered } from '../../../domain/agreement/mandate.schema.js';
import { isAnswered } from '../../../domain/agreement/lifecycle.js';
import { PAYER_ACTIONS } from '../../../domain/agreement/reminder.js';
import type { RecordedAgreementView } from '../../../workflows/agreement/contract.js';
import { pathTo, recordedLinks, type TemporalUi } from '../links.js';
import { apiResource } from '../resource.js';
import type { Gateway } from '../../gateway/create.js';
import { viewStates } from '../../http/list-parameters.schema.js';
import {
  Attention,
  Awaiting,
  ConnectionOf,
  InstantSchema,
  Reason,
  RequestedBy,
  STATE_SINCE,
  advised,
  awaitingAnswer,
  linksSchema,
  stateSinceOf,
} from '../../http/answer-parts.schema.js';

export const AGREEMENT_VIEW_STATES = viewStates(AGREEMENT_STATES);

const PendingAction = z
  .object({
    kind: z.enum(['creation', ...ACTION_KINDS]).meta({
      description: '`creation` is the request for the agreement. All others are commands.',
    }),
    key: z.string().nullable().meta({
      description: 'The Idempotency-Key of the request. Null if it had none.',
    }),
    asked_at: InstantSchema,
    accepted: z.boolean().meta({
      description: 'True once the provider has accepted the request. The outcome is still pending.',
    }),
  })
  .meta({ id: 'PendingAction' });

const PayerAction = z
  .object({
    text: z.string().meta({ description: 'A text to show to the payer.' }),
    until: InstantSchema.nullable().meta({
      description: 'The deadline for an answer. Only the provider decides when the request expires.',
    }),
  })
  .meta({ id: 'PayerAction' });

const ActionAnswered = z
  .object({
    kind: z.enum(ACTION_KINDS),
    key: z.string(),
    stage: z.enum(ACTION_STAGES).meta({
      description:
        '`asked`: the provider may not have it yet. `accepted`: its outcome is pending. `done`: it took effect. `refused`: the provider did not accept it. ' +
        '`failed`: the provider accepted it, but it had no effect.',
    }),
    asked_at: InstantSchema,
    requested_by: RequestedBy,
    ended_at: InstantSchema.nullable().meta({
      description: 'When its outcome came. Null while it is pending.',
    }),
    failure: Reason.nullable().meta({
      description: 'Why the action was refused or failed. Null otherwise.',
    }),
  })
  .meta({ id: 'Action' });

const Agreement = z
  .object({
    uid: z.string(),
    connection: ConnectionOf,
    state: z.enum(AGREEMENT_VIEW_STATES).meta({
      description:
        '`pending` and `created`: the payer has not decided. `active`: it allows payments. `suspended`: it allows payments again after a reactivation. ' +
        '`declined`, `expired`, `cancelled` and `failed`: it has ended. `unknown`: the provider did not have the uid for a whole day.',
    }),
    ...STATE_SINCE,
    state_caused_by: z.string().nullable().meta({
      description:
        'Who caused the state, as the provider names them: `debtor` is the payer, and `initiator` is you. Other values are possible. Null if the provider named no one.',
    }),
    state_reason: Reason.nullable(),
    mms_agreement_id: z.string().nullable().meta({
      description: 'The id that the PayTo scheme assigned. Null until the provider shows it.',
    }),
    payid_display_name: z.string().nullable().meta({
      description:
        'The name behind the payer’s PayID, as resolved by the provider. Only for API keys with the scope `operate`. Never show it to the payer.',
    }),
    adopted: z.boolean().meta({
      description: 'True if the agreement was found at the provider and not created through this API.',
    }),
    created_at: InstantSchema.meta({
      description:
        'When it was requested here. If it was found at the provider: when an event or a sweep first named it.',
    }),
    requested_by: RequestedBy,
    ...presentShape(MandateAnswered),
    awaiting: Awaiting,
    payer_action: PayerAction.nullable().meta({
      description: 'The decision that the payer must take. Null if there is none.',
    }),
    pending_action: PendingAction.nullable().meta({
      description: 'The oldest request to the provider that has no outcome yet. Null if nothing is pending.',
    }),
    actions: z
      .array(ActionAnswered)
      .meta({ description: 'Shows the latest ten commands and their outcomes, oldest first.' }),
    attention: z.array(Attention),
    payments: z.object({
      count: z.int().meta({ description: 'How many payments were requested under it, also if they failed.' }),
      last_requested_at: InstantSchema.nullable(),
    }),
    links: linksSchema({ payments: z.string() }),
  })
  .meta({ id: 'Agreement' });
type Agreement = z.output<typeof Agreement>;

export function agreementAnswer(ui: TemporalUi, view: RecordedAgreementView): Agreement {
  return {
    uid: view.uid,
    connection: view.connectionId ?? null,
    state: view.state,
    ...stateSinceOf(view),
    state_caused_by: view.stateCausedBy ?? null,
    state_reason: view.stateReason === undefined ? null : present(Reason, advised(view.stateReason)),
    mms_agreement_id: view.mmsAgreementId ?? null,
    payid_display_name: view.payIdDisplayName ?? null,
    adopted: view.adopted,
    created_at: view.createdAt,
    requested_by: view.requestedBy ?? null,
    ...present(MandateAnswered, view.mandate),
    awaiting: awaitingAnswer(view.awaiting),
    payer_action: payerAnswer(view.payerDecides),
    pending_action: pendingAnswer(view.pending),
    actions: view.actions.map(actionAnswer),
    attention: view.attention,
    payments: {
      count: view.paymentCount,
      last_requested_at: view.lastPaymentAt ?? null,
    },
    links: recordedLinks(ui, 'agreement', view.uid, {
      payments: `${pathTo('agreement', view.uid)}/payments`,
    }),
  };
}

const payerAnswer = (decides: RecordedAgreementView['payerDecides']): Agreement['payer_action'] =>
  decides === undefined ? null : { text: PAYER_ACTIONS[decides.on], until: decides.until ?? null };

function pendingAnswer([first]: RecordedAgreementView['pending']): Agreement['pending_action'] {
  if (first === undefined) return null;
  const { kind, key = null, callersKey = key, requestedAt, isAccepted } = first;
  return { kind, key: callersKey, asked_at: requestedAt, accepted: isAccepted };
}

const actionAnswer = (action: RecordedAgreementView['actions'][number]): Agreement['actions'][number] => ({
  kind: action.kind,
  key: action.callersKey ?? action.key,
  stage: action.stage,
  asked_at: action.requestedAt,
  requested_by: action.by ?? null,
  ended_at: action.endedAt ?? null,
  failure: action.failure === undefined ? null : present(Reason, advised(action.failure)),
});

export const AGREEMENT = apiResource<{
  View: RecordedAgreementView;
  Answer: Agreement;
  Gateway: Gateway['agreements'];
}>({
  name: 'agreement',
  tag: 'agreements',
  gateway: ({ agreements }) => agreements,
  schema: Agreement,
  answer: agreementAnswer,
  isDecided: ({ state }) => state === 'unknown' || isAnswered(state),
  guide: {
    read: 'agreement.md#read-an-agreement',
    list: 'agreement.md#list-agreements',
    lookUp: 'agreement.md#look-up-an-agreement',
    fields:
      'In state `active` it allows payments. `awaiting` names the pending event, `payer_action` has a text for the payer, and each flag in `attention` needs an operator.',
    decided: 'the payer has decided or the agreement has ended',
  },
});
