// Generates the OpenAPI 3.1 document from the contracts of the routes.
import { OpenAPIHono } from '@hono/zod-openapi';
import type { Endpoint } from '../../http/contract.js';

const DOCUMENT = {
  openapi: '3.1.0',
  info: {
    title: 'PayTo agreements',
    version: '1.0.0',
    description:
      'Durable PayTo agreements: create agreements, take payments under them, and follow both. Every POST is idempotent: a repeat with ' +
      'the same uid in the body, or the same `Idempotency-Key`, returns the same resource. Errors are `application/problem+json`.',
  },
  tags: [
    { name: 'connections', description: 'The OAuth consents of merchants.' },
    { name: 'agreements', description: 'Mandates of payers. Each agreement is one Temporal workflow.' },
    { name: 'payments', description: 'Payments under agreements, at most one for each uid, and refunds.' },
    { name: 'clients', description: 'Our merchants, who initiate agreements.' },
    {
      name: 'counterparties',
      description: 'Parties whose payment accounts are verified before registration.',
    },
    {
      name: 'onboardings',
      description: 'The whole onboarding of a payer, from verification to the first payment.',
    },
    { name: 'batches', description: 'Many requests in one. Each row has its own outcome.' },
    { name: 'bridge', description: 'Webhooks of the provider.' },
    { name: 'operations', description: 'Endpoints for operators and their tools.' },
  ],
};

const SECURITY_SCHEMES = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key. `x-scope` of each operation names the required scope.',
  },
} as const;

type Document = ReturnType<OpenAPIHono['getOpenAPI31Document']>;

export function documentOf(endpoints: readonly Endpoint[]): Document {
  const described = new OpenAPIHono();
  for (const { routes } of endpoints)
    for (const { connection: _, ...route } of routes) described.openAPIRegistry.registerPath(route);
  for (const [name, scheme] of Object.entries(SECURITY_SCHEMES))
    described.openAPIRegistry.registerComponent('securitySchemes', name, scheme);
  return described.getOpenAPI31Document(DOCUMENT);
}
