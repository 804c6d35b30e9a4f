// What the API says of itself, made from the contracts of its routes alone: OpenAPI 3.1.
import { OpenAPIHono } from '@hono/zod-openapi';
import { CODEC_COOKIE } from '../codec/session.js';
import type { Endpoint } from '../../http/contract.js';

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
    { name: 'connections', description: 'The OAuth grants of merchants.' },
    { name: 'agreements', description: 'Mandates, each of which is one Temporal workflow.' },
    { name: 'payments', description: 'Payments under agreements: never two for one uid.' },
    { name: 'clients', description: 'Merchants of ours, on whose behalf agreements are initiated.' },
    {
      name: 'counterparties',
      description: 'Parties whose payment accounts are verified before they are registered.',
    },
    { name: 'batches', description: 'Many requests as one; each row has its own answer.' },
    { name: 'bridge', description: 'What the provider pushes.' },
    { name: 'operations', description: 'For operators.' },
  ],
};

const SECURITY_SCHEMES = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key. Each operation names the scope that it needs in `x-scope`.',
  },
  codecSession: {
    type: 'apiKey',
    in: 'cookie',
    name: CODEC_COOKIE,
    description: 'Set by /codec/login, for an hour.',
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
