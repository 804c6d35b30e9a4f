// An event as backends receive it: from the feed, as a stream, and by webhook.
import { z } from 'zod';
import { FACT_SOURCES } from '../../../domain/facts/fact.js';
import { EVENT_TYPE_NAMES, EVENT_VERSION } from '../../../domain/records/event-types.js';
import { RESOURCE_NAMES, type ResourceName } from '../../../domain/resources.js';
import type { StopView } from '../../gateway/stop.js';
import type { RecordedEvent } from '../../../records/events.js';
import { EVENT_ONLY_RESOURCES } from '../../../records/own-events.js';
import { Attention, InstantSchema } from '../../http/answer-parts.schema.js';
import { visibleWith } from '../../http/masking.js';
import { AGREEMENT } from '../agreement/answer.schema.js';
import { BATCH } from '../batch/answer.schema.js';
import { CLIENT } from '../client/answer.schema.js';
import { CONNECTION } from '../connection/answer.schema.js';
import { COUNTERPARTY } from '../counterparty/answer.schema.js';
import { FLOAT_ACCOUNT } from '../float-account/answer.schema.js';
import { pathTo, type TemporalUi } from '../links.js';
import { notificationAnswer } from '../notification/endpoints.js';
import { ONBOARDING } from '../onboarding/answer.schema.js';
import { PAYMENT } from '../payment/answer.schema.js';
import { REFUND } from '../refund/answer.schema.js';
import type { AnswerContext } from '../resource.js';
import { stopAnswer } from '../stop/answer.schema.js';
import { UNMATCHED_CREDIT } from '../unmatched-credit/answer.schema.js';

const inSnakeCase = (name: string): string => name.replaceAll('-', '_');

/** What events are about, as `resource.type` names it. */
export const EVENT_RESOURCES = [...RESOURCE_NAMES, ...EVENT_ONLY_RESOURCES].map(inSnakeCase);

const WORKFLOW = 'workflow';

const Reason = z
  .object({
    source: z.enum([...FACT_SOURCES, WORKFLOW]).meta({
      description:
        '`webhook`, `history`: an event of the provider. `lookup`: a look-up showed it. `command`: a caller or an operator requested it. `workflow`: we decided it, for example at a deadline.',
    }),
    what: z
      .string()
      .nullable()
      .meta({ description: 'The type of the fact that caused it, or the kind of the command.' }),
    provider_event_id: z.string().nullable().meta({
      description: 'The id of the provider’s event. Null if none caused it.',
    }),
    principal: z.string().nullable().meta({ description: 'Who requested it, if it was a command.' }),
    request: z
      .string()
      .nullable()
      .meta({ description: 'The id that the command has in the timeline. Null if no command caused it.' }),
  })
  .meta({ id: 'EventReason' });

const fields = z.record(z.string(), z.unknown());

export const Event = z
  .object({
    id: z.string().meta({
      example: 'evt_5f0c61d2a1f24c3c8a60c1f7d40a7b11',
      description:
        'The same in every delivery and after every repeat: use it to ignore events that you have handled.',
    }),
    type: z
      .enum(EVENT_TYPE_NAMES)
      .meta({ description: 'A release may add types. Ignore those that you do not use.' }),
    event_version: z
      .literal(EVENT_VERSION)
      .meta({ description: 'The version of this form. It changes only if receivers must change.' }),
    created_at: InstantSchema.meta({ description: 'When it happened, by our clock.' }),
    connection: z.string().nullable().meta({ description: 'Null if it belongs to no connection.' }),
    resource: z.object({
      type: z.enum(EVENT_RESOURCES),
      uid: z.string(),
      version: z.int().meta({
        description:
          'Grows with each event of the resource: of two, the one with the larger version is newer.',
      }),
      url: z
        .string()
        .nullable()
        .meta({ description: 'Where you read the resource in this API. Null if it has no path.' }),
    }),
    data: fields.meta({
      description:
        'The resource as the API showed it then, with the personal data that your key may see. `links.temporal_ui` is null in webhooks. Empty if the stored event is damaged.',
    }),
    flag: Attention.nullable().meta({
      description:
        'The flag that was raised or resolved. Null for all types but `attention.raised` and `attention.resolved`.',
    }),
    previous: fields.nullable().meta({
      description:
        'The fields of `data` that have changed since the previous event of the resource, with their old values. Null if there is none, or it has expired or is damaged.',
    }),
    reason: Reason,
  })
  .meta({ id: 'Event' });
export type Event = z.output<typeof Event>;

/** Who reads events, and with which settings. */
export interface EventReader {
  /** Of the reader's key. */
  scopes: readonly string[];
  neededScopes: string;
  temporalUi: TemporalUi;
  /** The event, or the view before, could not be opened or rendered. */
  onUnreadable: (event: RecordedEvent, error: unknown) => void;
}

/** The event with the personal data that the reader may see. @throws any error if it cannot be opened or rendered. */
export async function eventAnswer(event: RecordedEvent, reader: EventReader): Promise<Event> {
  const { resource, view, unreadable } = event;
  if (unreadable?.event) throw unreadable.event;
  const data = await dataOf(resource, view, reader);
  const before = await previousDataOf(event, reader);
  return answerWith(event, reader, { data, previous: before ? changedFields(before, data) : null });
}

/** As `eventAnswer`, but without its data if it cannot be opened or rendered, so that the other events still come. */
export async function answerOrShell(event: RecordedEvent, reader: EventReader): Promise<Event> {
  try {
    return await eventAnswer(event, reader);
  } catch (error) {
    reader.onUnreadable(event, error);
    return answerWith(event, reader, { data: {}, previous: null });
  }
}

function answerWith(
  event: RecordedEvent,
  { scopes }: EventReader,
  { data, previous }: Pick<Event, 'data' | 'previous'>,
): Event {
  const { id, type, at, connectionId, resource, uid, version } = event;
  return visibleWith(scopes, {
    ...{ id, type, event_version: EVENT_VERSION, created_at: at, connection: connectionId ?? null },
    resource: { type: inSnakeCase(resource), uid, version, url: urlOf(resource, uid) },
    ...{ data, flag: flagOf(event), previous, reason: reasonOf(event) },
  } satisfies Event);
}

async function previousDataOf(event: RecordedEvent, reader: EventReader): Promise<Fields | undefined> {
  const { resource, previousView, unreadable } = event;
  try {
    if (unreadable?.previousView) throw unreadable.previousView;
    return previousView && (await dataOf(resource, previousView, reader));
  } catch (error) {
    reader.onUnreadable(event, error);
    return undefined;
  }
}

function urlOf(resource: string, uid: string): string | null {
  if (resource === 'stop') return '/v1/stop';
  if (resource === 'webhook-endpoint') return `/v1/webhook-endpoints/${encodeURIComponent(uid)}`;
  return isResource(resource) ? pathTo(resource, uid) : null;
}

const isResource = (name: string): name is ResourceName => RESOURCE_NAMES.some((one) => one === name);

type Fields = Record<string, unknown>;
type AnswerIn = (ui: TemporalUi, view: never, context: AnswerContext) => object | Promise<object>;

/** How the API shows each resource. */
const ANSWERS: Readonly<Record<ResourceName, AnswerIn>> = {
  agreement: AGREEMENT.answer,
  payment: PAYMENT.answer,
  refund: REFUND.answer,
  client: CLIENT.answer,
  counterparty: COUNTERPARTY.answer,
  onboarding: ONBOARDING.answer,
  batch: BATCH.answer,
  connection: CONNECTION.answer,
  stop: (_, { stops }: StopView) => stopAnswer(stops).data,
  notification: notificationAnswer,
  'float-account': FLOAT_ACCOUNT.answer,
  'unmatched-credit': UNMATCHED_CREDIT.answer,
};

async function dataOf(
  resource: string,
  view: object,
  { scopes, neededScopes, temporalUi }: EventReader,
): Promise<Fields> {
  if (!isResource(resource)) return ownFields(view);
  const context: AnswerContext = { neededScopes, isOperator: scopes.includes('operate') };
  return { ...(await ANSWERS[resource](temporalUi, view as never, context)) };
}

/** What has no workflow is stored as it is shown, apart from the names of its fields. */
const ownFields = (view: object): Fields =>
  Object.fromEntries(
    Object.entries(view).map(([name, value]: [string, unknown]) => [
      name.replace(/Id$/, '').replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );

/** The old values of the fields that differ. A field that is new was null. */
const changedFields = (before: Fields, after: Fields): Fields =>
  Object.fromEntries(
    [...new Set([...Object.keys(before), ...Object.keys(after)])]
      .filter((name) => name !== 'links' && JSON.stringify(before[name]) !== JSON.stringify(after[name]))
      .map((name) => [name, before[name] ?? null]),
  );

function flagOf({ type, own }: RecordedEvent): Event['flag'] {
  if (type !== 'attention.raised' && type !== 'attention.resolved') return null;
  return Attention.safeParse(own).data ?? null;
}

function reasonOf({ cause, view, previousView }: RecordedEvent): Event['reason'] {
  const requester: unknown = Reflect.get(view, 'requestedBy');
  const isFirst = previousView === undefined && cause === undefined;
  if (isFirst && typeof requester === 'string')
    return {
      source: 'command',
      what: 'request',
      provider_event_id: null,
      principal: requester,
      request: null,
    };
  const { source = WORKFLOW, type, factId = null, by } = cause ?? {};
  const isOfProvider = source === 'webhook' || source === 'history';
  return {
    ...{ source, what: type ?? null, provider_event_id: isOfProvider ? factId : null },
    ...{ principal: by ?? null, request: source === 'command' ? factId : null },
  };
}

/** Without the resource itself, for receivers that fetch it. */
export const thinEvent = ({ data: _, previous: __, flag: ___, ...rest }: Event) => rest;
