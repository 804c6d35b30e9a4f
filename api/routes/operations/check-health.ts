import { contract, endpoint, json } from '../../http/contract.js';
import { ApiError } from '../../http/problems/errors.js';
import { Alive, Ready } from './bodies.schema.js';

const liveness = contract({
  method: 'get',
  path: '/healthz',
  operationId: 'checkLiveness',
  tags: ['operations'],
  summary: 'Check liveness',
  description:
    'A supervisor calls this to decide whether to restart the process. It answers as long as the process can handle requests, and asks neither Temporal nor a database. ' +
    'For a load balancer, use `/readyz` of the admin port.',
  task: 'operating.md#check-that-a-process-is-alive',
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
    'A load balancer calls this to decide whether the process gets requests. An answer 503 means that it is not ready: repeat the check later. ' +
    'The records database does not count: payments do not wait for it. `recorded_until` shows how far it is, and `incomplete_since` whether rows may be missing.',
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
