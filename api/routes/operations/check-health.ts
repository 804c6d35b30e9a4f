import { contract, endpoint, json } from '../../http/contract.js';
import { ApiError } from '../../http/problems/errors.js';
import { Alive, Ready } from './bodies.schema.js';

const liveness = contract({
  method: 'get',
  path: '/healthz',
  operationId: 'checkLiveness',
  tags: ['operations'],
  summary: 'Check liveness',
  access: 'probe',
  connection: 'none',
  answers: { 200: json('The process is alive.', Alive) },
});

export const checkLiveness = endpoint(liveness, () => (c) => c.json({ status: 'alive' as const }, 200));

const readiness = contract({
  method: 'get',
  path: '/readyz',
  operationId: 'checkReadiness',
  tags: ['operations'],
  summary: 'Check readiness: Temporal answers within a second that the namespace exists',
  description:
    'Not ready means 503. The records database does not count: payments do not wait for it. `recorded_until` shows how far it is, and `incomplete_since` whether rows may be missing.',
  access: 'probe',
  connection: 'none',
  answers: { 200: json('Temporal has our namespace.', Ready) },
  problems: [503],
});

export const checkReadiness = endpoint(readiness, ({ temporal, progress }) => async (c) => {
  await temporal.ready().catch((cause: unknown) => {
    throw new ApiError(
      'temporal_unavailable',
      'Temporal did not answer within a second that the namespace exists.',
      { cause },
    );
  });
  return c.json(
    {
      status: 'ready' as const,
      recorded_until: progress.recordedUntil() ?? null,
      incomplete_since: progress.incompleteSince() ?? null,
    },
    200,
  );
});
