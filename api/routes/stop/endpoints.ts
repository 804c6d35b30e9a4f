import { ResumePayments, StopPayments } from '../../../domain/payment/stop.schema.js';
import { StopAnswer, StopViewAnswer, stopAnswer, stopViewAnswer } from './answer.schema.js';
import { approvedRequest } from '../../http/approval.js';
import { READ, bodyOf, contract, endpoint, json, type Endpoint } from '../../http/contract.js';
import { ApprovalHeaders, PagingQuery } from '../../http/parameters.schema.js';
import { found } from '../../http/problems/errors.js';
import type { Recordable } from '../../gateway/records.js';
import { STOP_WORKFLOW_ID } from '../../../workflows/stop/contract.js';
import { TimelineAnswer } from '../timeline/answer.schema.js';
import { timelineAnswer } from '../timeline/page.js';

const requested = contract({
  method: 'get',
  path: '/v1/stop',
  operationId: 'getStop',
  tags: ['payments'],
  summary: 'Get the stops in force and the number of waiting payments',
  description:
    'Call this to see whether payments are stopped, by whom and why, and how many wait. ' +
    'An empty list of stops means that workers send payments.',
  task: 'operating.md#read-the-stops',
  access: 'read',
  connection: 'none',
  answers: {
    200: json('The stops that are in force, and how many payments and refunds wait.', StopViewAnswer),
  },
  problems: [503],
});

const stopped = contract({
  method: 'post',
  path: '/v1/stop',
  operationId: 'stopPayments',
  tags: ['payments'],
  summary: 'Stop the payments of one or all connections (idempotent by principal, connection and reason)',
  description:
    'Call this at once if payments look wrong: it stops sending, and undoes nothing. ' +
    'Workers stop within five seconds, and `stop.stopped` is sent unless a stop was in force already. Payments that are in flight or at the provider are followed to their end. Agreements are not stopped. ' +
    'A stopped payment waits (`awaiting` is `stop`) and lapses at its `submit_before`; a refund waits without limit. You may request more. ' +
    'Each combination of principal, connection and reason is a separate stop, and payments wait while at least one is in force: end yours with `POST /v1/stop/resumption`. A principal can have at most 20 stops for one connection; further ones are not stored. ' +
    'A repeat keeps the first date.',
  task: 'operating.md#stop-payments',
  access: 'stop',
  connection: 'none',
  request: { body: bodyOf(StopPayments) },
  answers: { 200: json('The stops in force. A repeat keeps the original date.', StopAnswer) },
  problems: [422, 503],
});

const resumed = contract({
  method: 'post',
  path: '/v1/stop/resumption',
  operationId: 'resumePayments',
  tags: ['payments'],
  summary: 'Resume the payments of one or all connections (idempotent)',
  description:
    'Call this once the cause of a stop is corrected. It ends your stops of the named connection; without a connection, only those that apply to all connections. ' +
    'Once no stop applies to a connection, each of its waiting payments checks its agreement again and is sent within about a minute. `stop.cleared` is sent once no stop is left at all. ' +
    '`stopped_by` names another principal: with `DUAL_CONTROL=on`, a second principal must approve the end of its stops; otherwise only that principal can end them. ' +
    'An approval covers the stops that were in force when it was requested. ' +
    'A repeat changes nothing if you have no stop left.',
  task: 'operating.md#resume-payments',
  access: 'stop',
  connection: 'none',
  request: { headers: ApprovalHeaders, body: bodyOf(ResumePayments) },
  answers: { 200: json('The stops that remain in force, also those of others.', StopAnswer) },
  problems: [409, 422, 503],
});

const getStop = endpoint(
  requested,
  ({ temporal }) =>
    async (c) =>
      c.json(stopViewAnswer(await temporal.stop.view()), 200),
);

const stopPayments = endpoint(stopped, ({ temporal }) => async (c) => {
  const { connection, reason } = c.req.valid('json');
  c.set('audited', auditedOf(connection));
  const stops = await temporal.stop.stop({ connectionId: connection, reason, by: c.get('principal') });
  return c.json(stopAnswer(stops), 200);
});

const auditedOf = (connection: string | undefined) =>
  connection === undefined ? { all_connections: true } : { connection };

const resumePayments = endpoint(resumed, (dependencies) => async (c) => {
  const { connection, reason, stopped_by: stoppedBy } = c.req.valid('json');
  c.set('audited', auditedOf(connection));
  const by = c.get('principal');
  const isOfAnother = stoppedBy !== undefined && stoppedBy !== by;
  const approved = isOfAnother
    ? await approvedRequest(c, dependencies, resumed.route.operationId)
    : undefined;
  const approval = approved && { by: approved.approvedBy, requestedAt: approved.requestedAt };
  const request = { connectionId: connection, reason, by, stoppedBy, approval };
  return c.json(stopAnswer(await dependencies.temporal.stop.resume(request)), 200);
});

const recorded = contract({
  ...READ,
  path: '/v1/stop/timeline',
  operationId: 'getStopTimeline',
  tags: ['payments'],
  summary: 'Get every stop and resumption since the first one',
  description:
    'Call this to see who stopped and resumed payments, when and why; it has every stop and resumption since the first one, oldest first. ' +
    'Before the first stop, the answer is 404.',
  task: 'operating.md#read-the-stops',
  connection: 'none',
  request: { query: PagingQuery },
  answers: { 200: json('The answer has a page of entries, oldest first.', TimelineAnswer) },
});

const STOPS: Recordable = { resource: 'stop', uid: STOP_WORKFLOW_ID };

const getStopTimeline = endpoint(recorded, (dependencies) => async (c) => {
  const answer = await timelineAnswer(dependencies, STOPS, c.req.valid('query'), '/v1/stop/timeline');
  return c.json(found(answer, 'a stop').page, 200);
});

export const stopEndpoints: readonly Endpoint[] = [getStop, getStopTimeline, stopPayments, resumePayments];
