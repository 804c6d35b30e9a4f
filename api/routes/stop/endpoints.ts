import { ResumePayments, StopPayments } from '../../../domain/payment/stop.schema.js';
import { StopAnswer, StopViewAnswer, stopAnswer, stopViewAnswer } from './answer.schema.js';
import { bodyOf, contract, endpoint, json } from '../../http/contract.js';
import { NoQuery } from '../../http/parameters.schema.js';

const requested = contract({
  method: 'get',
  path: '/v1/stop',
  operationId: 'getStop',
  tags: ['payments'],
  summary: 'Whose payments are stopped, by whom and why, and how many wait',
  access: 'read',
  connection: 'none',
  request: { query: NoQuery },
  answers: { 200: json('What is stopped now.', StopViewAnswer) },
  problems: [503],
});

const stopped = contract({
  method: 'post',
  path: '/v1/stop',
  operationId: 'stopPayments',
  tags: ['payments'],
  summary: 'Send no more payments of one connection, or of any; a repeat is answered the same',
  description:
    'Workers heed it within five seconds. What is at the provider, or on its way there, is followed to its end. A payment that is kept ' +
    'back waits (`awaiting` is `stop`), and lapses where its `submit_before` comes first. Agreements are not kept back.',
  access: 'operate',
  connection: 'none',
  request: { body: bodyOf(StopPayments) },
  answers: { 200: json('What is stopped now. The first reason of each stop stands.', StopAnswer) },
  problems: [422, 503],
});

const resumed = contract({
  method: 'post',
  path: '/v1/stop/lifting',
  operationId: 'liftStop',
  tags: ['payments'],
  summary: 'Lift the stop of one connection, or that of all; a repeat is answered the same',
  description: 'What waits asks its agreement once more and is sent then, within about a minute.',
  access: 'operate',
  connection: 'none',
  request: { body: bodyOf(ResumePayments) },
  answers: { 200: json('What is still stopped.', StopAnswer) },
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
  const stops = await temporal.stop.stop({ connectionId: connection, reason, by: c.get('apiKeyId') });
  return c.json(stopAnswer(stops), 200);
});

export const resumePayments = endpoint(resumed, ({ temporal }) => async (c) => {
  const { connection, reason } = c.req.valid('json');
  const stops = await temporal.stop.resume({ connectionId: connection, reason, by: c.get('apiKeyId') });
  return c.json(stopAnswer(stops), 200);
});
