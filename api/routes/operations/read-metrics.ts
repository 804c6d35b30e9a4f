import { z } from '@hono/zod-openapi';
import { contract, endpoint } from '../../http/contract.js';

const stated = contract({
  method: 'get',
  path: '/metrics',
  operationId: 'readMetrics',
  tags: ['operations'],
  summary: 'Get the metrics of this process for Prometheus',
  description:
    'Prometheus calls this every few seconds. It answers with the metrics of this API process only; each worker has its own address for them.',
  task: 'deployment.md#monitoring',
  access: 'probe',
  connection: 'none',
  answers: {
    200: {
      description: 'The answer has metrics in the text format of Prometheus.',
      content: { 'text/plain': { schema: z.string() } },
    },
  },
});

export const readMetrics = endpoint(
  stated,
  ({ metrics }) =>
    async (c) =>
      c.text(await metrics.text(), 200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }),
);
