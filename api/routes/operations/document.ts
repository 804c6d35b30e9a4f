// Generates the OpenAPI 3.1 document from the contracts of the routes.
import { OpenAPIHono } from '@hono/zod-openapi';
import { EVENT_TYPES, EVENT_TYPE_NAMES } from '../../../domain/records/event-types.js';
import type { Endpoint } from '../../http/contract.js';
import { Event } from '../event/answer.schema.js';

/** In Markdown: the first text of the page at /docs. */
const INTRODUCTION = `
Create PayTo agreements, take payments under them, and follow both. PayTo is Australia's scheme for account-to-account
mandates. The API stores each accepted request durably, and never makes a payment twice.

## Authenticate

Send an API key with each request to \`/v1\`, in the header \`authorization: Bearer <key>\`. \`npm start\` prints a key for
development. In production, ask your operator for one. A key has scopes: in \`/openapi.json\`, \`x-scope\` of each operation
names the scope that it requires. To try operations on the page \`/docs\`, enter the key under Authentication.

## Make the first call

\`npm start\` creates the connection \`demo\` in a simulated provider. Copy the key that it prints, and create an agreement:

\`\`\`sh
API_KEY=paste-your-key
curl -X POST "http://127.0.0.1:8080/v1/agreements?wait=20" \\
  -H "authorization: Bearer $API_KEY" -H "content-type: application/json" -d '{
  "uid": "agr-first", "connection": "demo",
  "purpose": "utility", "description": "My first agreement",
  "debtor": {"party_name": "A Payer",
    "account_identifier": {"type": "bban", "value": "200001-12340001"}},
  "creditor": {"party_name": "B Biller", "ultimate_party_name": "B Biller",
    "account_identifier": {"type": "bban", "value": "200002-55550001"}},
  "payment_terms": {"type": "variable", "frequency": "adhoc", "max_amount": 25000}}'
\`\`\`

The answer shows the agreement in state \`active\`. Then create a payment with \`POST /v1/agreements/agr-first/payments\`.

## Repeat requests and read errors

Every POST is idempotent: a repeat with the same uid in the body, or the same \`Idempotency-Key\`, returns the same resource.
Errors are \`application/problem+json\` with a stable \`code\`.
`;

const DOCUMENT = {
  openapi: '3.1.0',
  info: {
    title: 'PayTo agreements',
    version: '1.0.0',
    description: INTRODUCTION.trim(),
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
    { name: 'events', description: 'What has happened: as pages, or as a stream of server-sent events.' },
    { name: 'webhooks', description: 'Endpoints of yours that receive events.' },
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
  for (const type of EVENT_TYPE_NAMES)
    described.openAPIRegistry.registerWebhook({
      ...({ method: 'post', path: type, tags: ['webhooks'], summary: EVENT_TYPES[type] } as const),
      request: { body: { required: true, content: { 'application/json': { schema: Event } } } },
      responses: { '2XX': { description: 'Received. After any other answer, the event is sent again.' } },
    });
  return described.getOpenAPI31Document(DOCUMENT);
}
