// The operators' audit log, as pages or as JSON lines.
import { z } from 'zod';
import { prefers } from '../../http/accept.js';
import { contract, endpoint, json } from '../../http/contract.js';
import { InstantSchema, NextLink } from '../../http/answer-parts.schema.js';
import { instant } from '../../http/list-parameters.schema.js';
import { longAnswer } from '../../http/long-answers.js';
import { paging } from '../../http/parameters.schema.js';
import { ApiError } from '../../http/problems/errors.js';
import type { Auditor } from '../../http/audit.js';
import { openCursor, readCursor, sealCursor, writeCursor } from '../../http/paging.js';
import type { AuditFilter, StoredAuditEvent } from '../../../records/audit.js';
import type { Place } from '../../../records/feed.js';
import { describeError } from '../../../records/errors.js';
import { LINES, LINES_END, jsonLines } from '../../http/streamed.js';
import { nextPage } from '../links.js';

const AuditEventAnswered = z
  .object({
    id: z.string(),
    at: InstantSchema,
    action: z.string().meta({
      description: 'The `operationId` that the operation has in this document.',
      example: 'stopPayments',
    }),
    outcome: z
      .string()
      .meta({ description: '`done` if the request was carried out, else the `code` of the problem.' }),
    api_key_id: z
      .string()
      .nullable()
      .meta({ description: 'The id of the API key that was used. Null if there was no valid key.' }),
    principal: z
      .string()
      .nullable()
      .meta({ description: 'The owner of the key. Null if the caller is unknown.' }),
    request_id: z
      .string()
      .nullable()
      .meta({ description: 'Equals the header `x-request-id` of the answer.' }),
    target: z.string().nullable().meta({ description: 'The path that was requested.' }),
    details: z.record(z.string(), z.unknown()).meta({
      description:
        'What was decided besides the path: the `connection` of a stop, or `all_connections`; whether a consent may come from another account ' +
        '(`accept_other_account`); how many notifications were acknowledged; the `workflows` whose payloads were read.',
    }),
  })
  .meta({ id: 'AuditEvent' });
const AuditAnswer = z
  .object({ data: z.array(AuditEventAnswered), links: NextLink })
  .meta({ id: 'AuditAnswer' });

const AuditQuery = z.strictObject({
  action: z
    .string()
    .regex(/^[A-Za-z]{1,64}$/, 'expected an operationId')
    .optional()
    .meta({ description: 'Only uses of this operation, by its `operationId`.', example: 'stopPayments' }),
  principal: z.string().min(1).max(64).optional().meta({ description: 'Only what this principal did.' }),
  target: z.string().min(1).max(320).optional().meta({ description: 'Only events of exactly this path.' }),
  from: instant('At or after this time.'),
  until: instant('Before this time.'),
  ...paging,
});

const stated = contract({
  method: 'get',
  path: '/v1/audit',
  operationId: 'listAuditEvents',
  tags: ['operations'],
  summary: 'List what people decided: stops, accounts, resolutions, sign-ins, refusals, payload reads',
  description: `Call this to find who decided something, and with which outcome. Events come newest first. An event appears once no event can appear behind it, so a reader from the newest one back to the last one of an earlier request misses none. With \`Accept: ${LINES}\`, the response has every matching event, one JSON object a line. ${LINES_END}`,
  task: 'operating.md#read-the-audit-log',
  access: 'operate',
  connection: 'none',
  request: { query: AuditQuery },
  answers: {
    200: {
      description: 'The answer has a page of events, newest first, or all of them as JSON lines.',
      content: {
        ...json('', AuditAnswer).content,
        [LINES]: { schema: z.string() },
      },
    },
  },
  problems: [503],
});

const Position: z.ZodType<Place> = z.tuple([z.int(), z.string(), z.int()]);
const LINES_AT_ONCE = 500;

export const listAuditEvents = endpoint(stated, ({ audit, sessionKeys, log, longAnswers }) => async (c) => {
  const { cursor, per_page: limit, ...filter } = c.req.valid('query');
  const token = openCursor(sessionKeys, 'audit', cursor);
  const before = token === undefined ? undefined : readCursor(Position, token);
  if (prefers(c, LINES))
    return longAnswer(c, { log, limiter: longAnswers.paged, type: LINES }, async () =>
      jsonLines(pagesFrom(audit, filter, await readOf(audit, filter, { before, limit: LINES_AT_ONCE }))),
    );
  const events = await readOf(audit, filter, { before, limit: limit + 1 });
  const page = events.slice(0, limit);
  const last = events.length > limit ? page.at(-1) : undefined;
  const next = sealCursor(sessionKeys, 'audit', last && writeCursor(last.place));
  const links = nextPage('/v1/audit', { ...filter, per_page: limit }, next);
  return c.json({ data: page.map(eventAnswer), links }, 200);
});

/** Reads page by page, so the number of events does not matter. */
async function* pagesFrom(
  audit: Auditor,
  filter: AuditFilter,
  first: readonly StoredAuditEvent[],
): AsyncGenerator<z.output<typeof AuditEventAnswered>[]> {
  for (let page = first; page.length > 0;) {
    yield page.map(eventAnswer);
    page = await readOf(audit, filter, { before: page.at(-1)?.place, limit: LINES_AT_ONCE });
  }
}

/** @throws ApiError `records_unavailable` */
const readOf = (audit: Auditor, ...of: Parameters<Auditor['read']>): Promise<StoredAuditEvent[]> =>
  audit.read(...of).catch((cause: unknown) => {
    throw new ApiError(
      'records_unavailable',
      `The records database did not answer: ${describeError(cause)}. Repeat the request later.`,
      { cause },
    );
  });

const eventAnswer = (event: StoredAuditEvent): z.output<typeof AuditEventAnswered> => ({
  id: event.id,
  at: event.at,
  action: event.action,
  outcome: event.outcome,
  api_key_id: event.apiKeyId ?? null,
  principal: event.principal ?? null,
  request_id: event.requestId ?? null,
  target: event.target ?? null,
  details: { ...event.details },
});
