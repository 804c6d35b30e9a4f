// Responses for clients, built from the views of their workflows.
import { z } from 'zod';
import { present, presentShape } from '../../../domain/provider/answer.schema.js';
import {
  CHANGE_STAGES,
  CLIENT_STATES,
  isClientFinal,
  isDecidedService,
} from '../../../domain/client/lifecycle.js';
import { ClientAnswered } from '../../../domain/client/request.schema.js';
import { ATTENTION_CODES } from '../../../domain/attention/flags.js';
import type { ClientView } from '../../../workflows/client/contract.js';
import { recordedLinks, type TemporalUi } from '../links.js';
import { apiResource, type AnswerContext } from '../resource.js';
import { viewStates } from '../../http/list-parameters.schema.js';
import type { Gateway } from '../../gateway/create.js';
import type { Beneath } from '../../gateway/clients.js';
import {
  ConnectionOf,
  FOLLOWED,
  InstantSchema,
  REQUESTED,
  Reason,
  STATE_SINCE,
  followedOf,
  linksSchema,
  requestedOf,
  stateSinceOf,
} from '../../http/answer-parts.schema.js';

export const CLIENT_VIEW_STATES = viewStates(CLIENT_STATES);

const ClientLinks = linksSchema({
  agreements: z.string().nullable().meta({ description: 'The agreements that the client initiates.' }),
});
const Failure = Reason.pick({ code: true, title: true, next: true });
const CLIENT_ID = {
  description:
    'The provider’s id of the client, which agreements name as `initiator.client_id`. Null until the provider returns it.',
};

const ClientSummary = z
  .object({
    uid: z.string(),
    client_id: z.string().nullable().meta(CLIENT_ID),
    connection: ConnectionOf,
    state: z.enum(CLIENT_VIEW_STATES),
    attention: z.array(z.enum(ATTENTION_CODES)),
    links: ClientLinks,
  })
  .meta({ id: 'ClientSummary' });

const Running = z
  .object({
    own: z.int().meta({ description: 'How many agreements that the client itself initiated still run.' }),
    beneath: z.int().meta({ description: 'How many agreements of the clients below it still run.' }),
    clients: z.array(ClientSummary).meta({ description: 'Shows these clients, at most 100.' }),
  })
  .meta({ id: 'RunningAgreements' });

const Change = z
  .object({
    fields: z.array(z.string()).meta({ description: 'The fields to change.' }),
    stage: z.enum(CHANGE_STAGES).meta({
      description:
        '`due`: the provider has not answered. `accepted`: it took effect. `refused`: nothing changed; `failure` has the reason.',
    }),
    asked_at: InstantSchema,
    ended_at: InstantSchema.nullable().meta({ description: 'When the provider answered. Null until then.' }),
    failure: Failure.nullable().meta({ description: 'Why the change was refused. Null otherwise.' }),
  })
  .meta({ id: 'ClientChange' });

const Client = z
  .object({
    uid: z.string(),
    client_id: z.string().nullable().meta(CLIENT_ID),
    connection: ConnectionOf,
    ...presentShape(ClientAnswered),
    state: z.enum(CLIENT_VIEW_STATES).meta({
      description:
        'The status of the client’s PayTo service. `requested`: it is not registered yet. `not_configured`: it has no PayTo service; ask the provider. `pending`: the provider has not decided. ' +
        '`active`: it may initiate agreements. `suspended` and `off_boarded`: it may not. `failed`: it was not registered. `unresolved`: an operator gave it up, and the provider may have it.',
    }),
    ...STATE_SINCE,
    adopted: z.boolean().meta({
      description: 'True if the client was found at the provider and not registered through this API.',
    }),
    failure: Failure.nullable().meta({ description: 'Why the registration failed. Null otherwise.' }),
    ...REQUESTED,
    submissions: z.int().meta({ description: 'How often the registration was sent to the provider.' }),
    changes: z.array(Change).meta({ description: 'Shows the changes that callers requested, newest last.' }),
    running_agreements: Running.nullable().meta({
      description:
        'Agreements that continue although the client is suspended or off-boarded. Null for all other clients.',
    }),
    ...FOLLOWED,
    links: ClientLinks,
  })
  .meta({ id: 'InitiatingClient' });
type Client = z.output<typeof Client>;

const failureAnswer = (failure: ClientView['failure']): Client['failure'] =>
  failure === undefined
    ? null
    : { code: failure.code ?? null, title: failure.title ?? null, next: failure.next ?? null };

async function clientAnswer(ui: TemporalUi, view: ClientView, context: AnswerContext): Promise<Client> {
  const { services: _, ...requested } = view.order;
  const beneath = await runningOf(context, view);
  return {
    uid: view.uid,
    client_id: view.clientId ?? null,
    connection: view.connectionId ?? null,
    ...present(ClientAnswered, view.particulars ?? requested),
    state: view.state,
    ...stateSinceOf(view),
    adopted: view.adopted,
    failure: failureAnswer(view.failure),
    ...requestedOf(view),
    submissions: view.submissions,
    changes: view.changes.map(({ changes, stage, requestedAt, endedAt, failure }) => ({
      fields: Object.keys(changes),
      stage,
      asked_at: requestedAt,
      ended_at: endedAt ?? null,
      failure: failureAnswer(failure),
    })),
    running_agreements: beneath === undefined ? null : runningAnswer(ui, beneath),
    ...followedOf(view),
    links: clientLinks(ui, view.uid, view.clientId),
  };
}

/** The agreements that still run, if the client is suspended or off-boarded. */
const runningOf = async (
  { beneath }: AnswerContext,
  { state, clientId }: ClientView,
): Promise<Beneath | undefined> =>
  (state === 'suspended' || state === 'off_boarded') && clientId !== undefined
    ? beneath?.(clientId)
    : undefined;

const runningAnswer = (ui: TemporalUi, { own, agreements, clients }: Beneath): z.output<typeof Running> => ({
  own,
  beneath: agreements,
  clients: clients.map((one) => clientSummary(ui, one)),
});

const clientSummary = (
  ui: TemporalUi,
  { uid, clientId, connectionId, state, attention }: ClientView,
): z.output<typeof ClientSummary> => ({
  uid,
  client_id: clientId ?? null,
  connection: connectionId ?? null,
  state,
  attention: attention.map(({ code }) => code),
  links: clientLinks(ui, uid, clientId),
});

const clientLinks = (ui: TemporalUi, uid: string, clientId: string | undefined) =>
  recordedLinks(ui, 'client', uid, {
    agreements: clientId === undefined ? null : `/v1/agreements?client=${encodeURIComponent(clientId)}`,
  });

export const CLIENT = apiResource<{ View: ClientView; Answer: Client; Gateway: Gateway['clients'] }>({
  name: 'client',
  tag: 'clients',
  gateway: ({ clients }) => clients,
  schema: Client,
  answer: clientAnswer,
  // The provider has decided on its service, or it waits for an operator.
  isDecided: ({ state, awaiting }) =>
    state === 'unknown' || isClientFinal(state) || isDecidedService(state) || awaiting.what === 'operator',
  guide: {
    read: 'onboarding.md#read-a-client',
    lookUp: 'onboarding.md#look-up-a-client',
    fields:
      'In state `active` it may initiate agreements, which name its `client_id`. `changes` has the outcome of each requested change.',
    decided: 'the provider has decided on the PayTo service or an operator must act',
  },
});
