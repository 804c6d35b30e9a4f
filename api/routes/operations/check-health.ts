import { contract, endpoint, json } from '../../http/contract.js';
import { ApiError } from '../../http/problems/errors.js';
import { Alive, Ready } from './bodies.schema.js';

const liveness = contract({
  method: 'get',
  path: '/healthz',
  operationId: 'checkLiveness',
  tags: ['operations'],
  summary: 'Whether the process lives',
  access: 'public',
  connection: 'none',
  answers: { 200: json('It does.', Alive) },
});

export const checkLiveness = endpoint(liveness, () => (c) => c.json({ status: 'alive' as const }, 200));

const readiness = contract({
  method: 'get',
  path: '/readyz',
  operationId: 'checkReadiness',
  tags: ['operations'],
  summary: 'Whether Temporal answers',
  access: 'public',
  connection: 'none',
  answers: { 200: json('It does.', Ready) },
  problems: [503],
});

export const checkReadiness = endpoint(readiness, ({ temporal }) => async (c) => {
  await temporal.ready().catch((cause: unknown) => {
    throw new ApiError('temporal_unavailable', 'Temporal did not answer within a second.', { cause });
  });
  return c.json({ status: 'ready' as const }, 200);
});
