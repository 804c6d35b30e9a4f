// In:  GET /metrics, for Prometheus.
// Out: telemetry/metrics.ts.
import { createRoute, z } from '@hono/zod-openapi';
import type { ApiDependencies } from '../dependencies.js';
import type { Router } from '../env.js';

const route = createRoute({
  method: 'get',
  path: '/metrics',
  operationId: 'readMetrics',
  tags: ['operations'],
  summary: 'What this process has counted, for Prometheus',
  responses: { 200: { description: 'Prometheus text.', content: { 'text/plain': { schema: z.string() } } } },
});

export function registerReadMetrics(router: Router, { metrics: { registry } }: ApiDependencies): void {
  router.openapi(route, async (c) =>
    c.text(await registry.metrics(), 200, { 'content-type': registry.contentType }),
  );
}
