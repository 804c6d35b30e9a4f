import { ResumePayments, StopPayments } from '../../../domain/payment/stop.schema.js';
import { StopAnswer, StopViewAnswer, stopAnswer, stopViewAnswer } from './answer.schema.js';
import { bodyOf, contract, endpoint, json } from '../../http/contract.js';
import { NoQuery } from '../../http/parameters.schema.js';

const requested = contract({
  method: 'get',
  path: '/v1/stop',
  operationId: 'getStop',
  tags: ['payments'],
  summary: 'Get the stops in force and the number of waiting payments',
  access: 'read',
  connection: 'none',
  request: { query: NoQuery },
  answers: { 200: json('The stops in force.', StopViewAnswer) },
  problems: [503],
});

const stopped = contract({
  method: 'post',
  path: '/v1/stop',
  operationId: 'stopPayments',
  tags: ['payments'],
  summary: 'Stop the payments of one or all connections (idempotent by principal, connection and reason)',
  description:
    'Workers stop within five seconds. Payments that are in flight or at the provider are followed to their end. A stopped payment ' +
    'waits (`awaiting` is `stop`) and lapses at its `submit_before`. Agreements are not stopped. Each combination of principal, connection ' +
    'and reason is a separate stop, and payments wait while at least one stop is in force. A principal can have at most 20 stops for ' +
    'one connection; further ones are not stored.',
  access: 'operate',
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
    'Ends the stops of the named connection. Without a connection, ends only the stops that apply to all connections. `stopped_by` ' +
    'limits this to the stops of one principal. Once no stop is left, each waiting payment checks its agreement again and is sent ' +
    'within about a minute.',
  access: 'operate',
  connection: 'none',
  request: { body: bodyOf(ResumePayments) },
  answers: { 200: json('The remaining stops.', StopAnswer) },
  problems: [503],
});

export const getStop = endpoint(
  requested,
  ({ temporal }) =>
    async (c) =>
      c.json(stopViewAnswer(await temporal.stop.view()), 200),
);

export const stopPayments = endpoint(stopped, ({ temporal }) => async (c) => {
  const { connection, reason } = c.req.valid('json');
  const stops = await temporal.stop.stop({ connectionId: connection, reason, by: c.get('principal') });
  return c.json(stopAnswer(stops), 200);
});

export const resumePayments = endpoint(resumed, ({ temporal }) => async (c) => {
  const { connection, reason, stopped_by } = c.req.valid('json');
  const request = { connectionId: connection, reason, by: c.get('principal'), stoppedBy: stopped_by };
  const stops = await temporal.stop.resume(request);
  return c.json(stopAnswer(stops), 200);
});
