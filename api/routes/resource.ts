// The endpoints that most resources share: get, list, look up and resolve a flag. A resource adds one row.
import type { Context } from 'hono';
import { z } from 'zod';
import { ResolveAttention } from '../../domain/agreement/action.schema.js';
import type { Attention } from '../../domain/attention/flags.js';
import type { AttentionResolution } from '../../domain/attention/resolution.js';
import { RESOURCES, workflowIdOf, type ResourceName } from '../../domain/resources.js';
import type { ChangesRequest } from '../../records/changed-rows.js';
import type { RowsRequest } from '../../records/lists.js';
import type { Gateway } from '../gateway/create.js';
import type { ListPage } from '../gateway/records.js';
import type { ResourceCommands } from '../gateway/temporal/commands.js';
import { NextLink, RecordedUntil, UpToDate } from '../http/answer-parts.schema.js';
import { approvedRequest, namesOf } from '../http/approval.js';
import {
  READ,
  bodyOf,
  contract,
  endpoint,
  json,
  noBody,
  recorded,
  type Endpoint,
  type Tag,
} from '../http/contract.js';
import type { ConnectionSource } from '../http/connection-binding.js';
import type { ApiDependencies } from '../http/dependencies.js';
import type { Env } from '../http/env.js';
import { scopedKey } from '../http/idempotency.js';
import type { ListQuery } from '../http/list-parameters.schema.js';
import {
  ApprovalHeaders,
  AttentionParams,
  KeyHeaders,
  NoQuery,
  UidParams,
  WaitQuery,
} from '../http/parameters.schema.js';
import { found } from '../http/problems/errors.js';
import { waitOf, watched } from '../http/wait.js';
import type { TemporalUi } from './links.js';
import { LIST, ONE_PAGE, changesOf, pageOf } from './list.js';
import {
  describeGet,
  describeList,
  describeLookUp,
  describeResolution,
  nounOf,
  type Guide,
  type Task,
} from './resource-descriptions.js';

/** The types of one resource: what its workflow shows, what the API answers, and its part of the gateway. */
export interface ResourceTypes {
  View: object;
  Answer: object;
  Gateway: object;
}

/** What an answer depends on besides the view. */
export interface AnswerContext {
  /** The OAuth scopes that a consent requests, separated by spaces. */
  neededScopes: string;
  /** Whether the caller's key has the scope `operate`. */
  isOperator: boolean;
  /** Reads what is beneath a client. Absent if the answer is one of a list, or of an event. */
  beneath?: Gateway['clients']['beneath'];
}

/** What only the API has to say about a resource. The rest is in domain/resources.ts. */
interface Row<R extends ResourceTypes> {
  name: Exclude<ResourceName, 'stop'>;
  /** Its section of the document. */
  tag: Tag;
  gateway: (temporal: Gateway) => R['Gateway'] & {
    view: (uid: string) => Promise<R['View'] | undefined>;
    list: (request: RowsRequest) => Promise<ListPage<R['View']>>;
  };
  schema: z.ZodType<R['Answer']>;
  answer: (ui: TemporalUi, view: R['View'], context: AnswerContext) => R['Answer'] | Promise<R['Answer']>;
  /** Ends the wait of a request. Absent: requests do not wait. */
  isDecided?: (view: R['View']) => boolean;
  /** Words for the descriptions of its shared endpoints. */
  guide?: Guide;
  /** The id of the schema of a page, if another schema has the usual one. */
  pageId?: string;
  /** The parameter of its path. Default: `uid`. */
  parameter?: { name: string; schema: z.ZodObject };
}

export interface ApiResource<R extends ResourceTypes> extends Row<R> {
  /** With its article. */
  what: string;
  /** How its connection is found. */
  connection: ConnectionSource;
  /** The schemas of an answer, and of a page of its list. */
  one: z.ZodType<{ data: R['Answer'] }>;
  page: z.ZodType<{
    data: R['Answer'][];
    recorded_until: string | null;
    up_to_date?: boolean | undefined;
    links: z.output<typeof NextLink>;
  }>;
}

export function apiResource<R extends ResourceTypes>(row: Row<R>): ApiResource<R> {
  const { name, schema, pageId = `${inPascalCase(RESOURCES[name].plural)}Answer` } = row;
  return {
    ...row,
    what: RESOURCES[name].what,
    connection: name === 'connection' ? 'path' : name === 'notification' ? 'none' : name,
    one: z.object({ data: schema }).meta({ id: `${inPascalCase(name)}Answer` }),
    page: z
      .object({ data: z.array(schema), recorded_until: RecordedUntil, up_to_date: UpToDate, links: NextLink })
      .meta({ id: pageId }),
  };
}

/** `float-account` is `FloatAccount` in names of the document. */
export const inPascalCase = (name: string): string =>
  name.replaceAll(/(?:^|[._-])(\w)/g, (_, letter: string) => letter.toUpperCase());

/** @throws ApiError `not_found` without a view. */
export async function answerOf<R extends ResourceTypes>(
  { answer, what }: ApiResource<R>,
  dependencies: ApiDependencies,
  c: Context<Env>,
  view: R['View'] | undefined,
): Promise<{ data: R['Answer'] }> {
  return { data: await answer(dependencies.temporalUi, found(view, what), contextOf(dependencies, c)) };
}

const contextOf = (
  { authorisation, temporal }: ApiDependencies,
  c: Context<Env>,
  isListed = false,
): AnswerContext => ({
  neededScopes: authorisation.scopes,
  isOperator: c.get('apiKey')?.scopes.includes('operate') === true,
  ...(!isListed && { beneath: temporal.clients.beneath }),
});

/** Answers the current view. @throws ApiError `not_found` */
export const answerNow = async <R extends ResourceTypes>(
  resource: ApiResource<R>,
  dependencies: ApiDependencies,
  c: Context<Env>,
  uid: string,
): Promise<{ data: R['Answer'] }> =>
  answerOf(resource, dependencies, c, await resource.gateway(dependencies.temporal).view(uid));

type WaitingContext = Context<Env, string, { out: { query: { wait?: number | undefined } } }>;

/**
 * Answers once the resource is decided, or the caller's wait is over.
 * @param first the view after a command. Default: the current one. @param isOver ends the wait instead of `isDecided`.
 * @throws ApiError `not_found`
 */
export async function answerInTime<R extends ResourceTypes>(
  resource: ApiResource<R>,
  dependencies: ApiDependencies,
  c: WaitingContext,
  uid: string,
  {
    first,
    isOver = resource.isDecided ?? (() => true),
  }: { first?: R['View']; isOver?: (view: R['View']) => boolean } = {},
): Promise<{ data: R['Answer'] }> {
  const { view: viewOf } = resource.gateway(dependencies.temporal);
  const view = await watched(first ?? found(await viewOf(uid), resource.what), {
    read: () => viewOf(uid),
    isOver,
    ...waitOf(dependencies, c, workflowIdOf(resource.name, uid)),
  });
  return answerOf(resource, dependencies, c, view);
}

/** What differs from the usual words of an endpoint. */
interface Words {
  operationId?: string;
  summary?: string;
  description?: string;
  task?: Task;
  /** Describes the answer. */
  answered?: string;
}

const UID = { name: 'uid', schema: UidParams };
/** An optional field of a contract. */
const taskOf = (task: Task | undefined) => (task === undefined ? {} : { task });

/** @param words `tags` only if the document has them before the operationId. */
export function getOf<R extends ResourceTypes>(
  resource: ApiResource<R>,
  { operationId, summary, description, task, answered, ...first }: Words & { tags?: [Tag] } = {},
): Endpoint {
  const { name, what, tag, parameter = UID, isDecided, guide, one, connection } = resource;
  const params: z.ZodObject = parameter.schema;
  const stated = contract({
    ...first,
    ...READ,
    path: `/v1/${RESOURCES[name].plural}/{${parameter.name}}`,
    operationId: operationId ?? `get${inPascalCase(name)}`,
    tags: [tag],
    summary: summary ?? `Get ${what}`,
    description: description ?? describeGet(resource, isDecided !== undefined),
    ...taskOf(task ?? guide?.read),
    connection,
    request: { params, query: isDecided === undefined ? NoQuery : WaitQuery },
    answers: { 200: json(answered ?? `The ${nounOf(what)} as it is now.`, one as z.ZodType<object>) },
  });
  return endpoint(stated, (dependencies) => async (c) => {
    const uid = String(c.req.valid('param')[parameter.name]);
    const answer: object = await answerInTime(resource, dependencies, c, uid);
    return c.json(answer, 200);
  });
}

export function listOf<R extends ResourceTypes>(
  resource: ApiResource<R>,
  {
    query,
    operationId,
    description,
    task,
    ...words
  }: { query: ListSchema; operationId?: string; summary: string; description?: string; task?: Task },
): Endpoint {
  const { name, tag, page, guide, connection } = resource;
  const { plural } = RESOURCES[name];
  const stated = contract({
    ...LIST,
    connection: connection === 'none' ? 'none' : 'query',
    path: `/v1/${plural}`,
    operationId: operationId ?? `list${inPascalCase(plural)}`,
    tags: [tag],
    ...words,
    description: describeList(resource, description),
    ...taskOf(task ?? guide?.list ?? guide?.read),
    request: { query },
    answers: { 200: recorded(json(ONE_PAGE, page as z.ZodType<object>)) },
  });
  return endpoint(stated, (dependencies) => async (c) => {
    const context = contextOf(dependencies, c, true);
    const read = resource.gateway(dependencies.temporal).list;
    const answer = (view: R['View']) => resource.answer(dependencies.temporalUi, view, context);
    const requested = c.req.valid('query');
    const changed = (request: ChangesRequest) => dependencies.temporal.changed<R['View']>(name, request);
    const listed: object =
      requested.changed_after === undefined
        ? await pageOf(dependencies, plural, requested, read, answer)
        : await changesOf(dependencies, plural, requested, changed, answer);
    return c.json(listed, 200);
  });
}

type ListSchema = z.ZodObject & z.ZodType<ListQuery>;

export function lookUpOf<R extends ResourceTypes & { Gateway: Pick<ResourceCommands, 'lookUp'> }>(
  resource: ApiResource<R>,
  { answered = `The ${nounOf(resource.what)}` }: Pick<Words, 'answered'> = {},
): Endpoint {
  const { name, what, tag, guide, one, connection } = resource;
  const stated = contract({
    method: 'post',
    path: `/v1/${RESOURCES[name].plural}/{uid}/look-up`,
    operationId: `lookUp${inPascalCase(name)}`,
    tags: [tag],
    summary: `Look up ${what} at the provider now (idempotent)`,
    description: describeLookUp(resource, answered),
    ...taskOf(guide?.lookUp ?? guide?.read),
    access: 'write',
    connection,
    request: { params: UidParams, body: noBody },
    answers: {
      202: json(`The look-up is in progress. ${answered} shows its result.`, one as z.ZodType<object>),
    },
    problems: [404, 409, 410, 429, 503],
  });
  return endpoint(stated, (dependencies) => async (c) => {
    const { uid } = c.req.valid('param');
    await resource.gateway(dependencies.temporal).lookUp(uid);
    const answer: object = await answerNow(resource, dependencies, c, uid);
    return c.json(answer, 202);
  });
}

/**
 * @param needsApproval the flags of a resource whose `parked` needs two principals with dual control, because the decision may send it again. An
 * approval covers the flag that was raised when it was requested.
 * @param body the caller's decision. Default: that of most resources.
 */
export function resolveAttentionOf<
  R extends ResourceTypes & { Gateway: Pick<ResourceCommands, 'resolveAttention'> },
>(
  resource: ApiResource<R>,
  {
    needsApproval,
    body = ResolveAttention,
    ...words
  }: Omit<Words, 'summary' | 'description'> & {
    needsApproval?: (view: R['View']) => readonly Attention[];
    body?: z.ZodType<Omit<AttentionResolution, 'key' | 'code' | 'by'>>;
  } = {},
): Endpoint {
  const { name, what, tag, one, connection } = resource;
  const { answered = `The ${nounOf(what)} continues as decided.` } = words;
  const { operationId = `resolve${inPascalCase(name)}Attention` } = words;
  const stated = contract({
    method: 'post',
    path: `/v1/${RESOURCES[name].plural}/{uid}/attention/{code}/resolution`,
    operationId,
    tags: [tag],
    summary: `Resolve an attention flag of ${what}`,
    description: describeResolution(resource, needsApproval !== undefined),
    task: words.task ?? 'operating.md#resolve-an-attention-flag',
    access: 'operate',
    connection,
    request: {
      ...{ params: AttentionParams, body: bodyOf(body) },
      headers: needsApproval === undefined ? KeyHeaders : KeyHeaders.extend(ApprovalHeaders.shape),
    },
    answers: { 200: json(`Resolved. ${answered}`, one as z.ZodType<object>) },
    problems: [404, 409, 410, 422, 429, 503],
  });
  return endpoint(stated, (dependencies) => async (c) => {
    const { uid, code } = c.req.valid('param');
    const key = scopedKey(c, c.req.valid('header')['Idempotency-Key']);
    const gateway = resource.gateway(dependencies.temporal);
    const covered = async () =>
      needsApproval?.(found(await gateway.view(uid), what)).find((flag) => flag.code === code)?.since;
    const approval =
      needsApproval !== undefined && code === 'parked'
        ? await approvedRequest(c, dependencies, operationId, covered)
        : undefined;
    const resolution = { ...c.req.valid('json'), key, code, by: namesOf(c.get('principal'), approval) };
    await gateway.resolveAttention(uid, resolution);
    const answer: object = await answerNow(resource, dependencies, c, uid);
    return c.json(answer, 200);
  });
}
