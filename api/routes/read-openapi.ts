// In:  GET /openapi.json.
// Out: the document made from the routes' own schemas.
import type { Router } from '../env.js';

const DOCUMENT = {
  openapi: '3.1.0',
  info: {
    title: 'PayTo agreements',
    version: '1.0.0',
    description:
      'Durable PayTo agreements: start one, ask where it stands, take payments under it. Every POST may be repeated: ' +
      'the uid in the body, or the Idempotency-Key, makes it the same request. Problems are `application/problem+json`.',
  },
  tags: [
    { name: 'connections', description: 'The grants by which merchants let us act for them.' },
    { name: 'agreements', description: 'Mandates, each of which is one Temporal workflow.' },
    { name: 'payments', description: 'Payments under agreements: never two for one uid.' },
    { name: 'bridge', description: 'What the provider pushes.' },
    { name: 'operations', description: 'For whoever runs this.' },
  ],
};

export function registerReadOpenapi(router: Router): void {
  router.openAPIRegistry.registerComponent('securitySchemes', 'apiKey', {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key. GET needs the scope `read`, POST the scope `write`.',
  });
  router.get('/openapi.json', (c) => c.json(router.getOpenAPI31Document(DOCUMENT)));
}
