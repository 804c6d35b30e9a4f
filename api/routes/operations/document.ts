// Generates the OpenAPI 3.1 document from the contracts of the routes.
import { OpenAPIHono } from '@hono/zod-openapi';
import { EVENT_ADVICE } from '../../../domain/records/event-advice.js';
import { EVENT_TYPES, EVENT_TYPE_NAMES } from '../../../domain/records/event-types.js';
import type { Endpoint } from '../../http/contract.js';
import { Event } from '../event/answer.schema.js';
import { inPascalCase } from '../resource.js';
import { NULLABLE_SCHEMAS, withNullableReferences } from './nullable-references.js';
import { sharedParts, type Document } from './shared-parts.js';

/** In Markdown: the first text of the page at /docs. */
const INTRODUCTION = `
Durable PayTo agreements over HTTP. PayTo is Australia's scheme for account-to-account mandates: a payer approves an agreement
once, in their bank's app, and you take payments under its terms for years. Backends create agreements and payments, receive
signed events, and never poll or hold tokens of the provider.

The API guarantees two things: **no payment is made twice**, and **no event from the provider is lost**.

## Authenticate

Send an API key with each request to \`/v1\`, in the header \`authorization: Bearer <key>\`. \`npm start\` prints a key for
development. In production, ask your operator for one. A key has scopes. The description of each operation, and its \`x-scope\`
in [/openapi.json](/openapi.json), name the scope that it requires. To try operations on this page, enter the key under
Authentication.

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

## Repeat requests

A POST that creates something, moves money or commands an agreement is idempotent: a repeat with the same uid in the body, or the
same \`Idempotency-Key\`, returns the same resource. A key belongs to one request: a repeat with another uid or body is refused.
The description of each operation says what its repeat does. After a lost answer, send the same request again
([repeats](/docs/operating#repeat-a-request)).

## Wait for outcomes

The provider accepts a request first, and reports its outcome later. So an answer with 202 is not the outcome:

- \`?wait=seconds\` delays the answer until the operation completes, or until that time has passed.
- \`GET\` of a resource has its \`state\`, and in \`awaiting\` what it waits for and what happens next.
- Everything that happens is an event: read \`GET /v1/events\`, follow it as a stream, or receive signed webhooks
  ([events](/docs/events)).

## Read errors

Every error is \`application/problem+json\` with a stable \`code\`, a pointer to the field and the request id. Requests that the
provider would refuse are refused before they are accepted. Repeat a request after 429 and 503; correct it after 400 and 422.

## Find the page of your task

Each operation links the section that explains its task. The pages: [agreements](/docs/agreement), [payments](/docs/payments),
[onboarding](/docs/onboarding), [events](/docs/events), [money that arrived](/docs/float), [journal](/docs/journal), [the client for
TypeScript](/docs/client), and for operators [operating](/docs/operating), [configuration](/docs/configuration) and
[deployment](/docs/deployment). Tools read them as Markdown: [/llms.txt](/llms.txt) lists all pages.
`;

const DOCUMENT = {
  openapi: '3.1.0',
  info: {
    title: 'PayTo agreements',
    version: '1.0.0',
    description: INTRODUCTION.trim(),
    license: { name: 'All rights are reserved', identifier: 'LicenseRef-UNLICENSED' },
  },
  servers: [{ url: '/', description: 'The API that serves this document.' }],
  tags: [
    { name: 'connections', description: 'The OAuth consents of merchants.' },
    { name: 'agreements', description: 'Mandates of payers. Each agreement is one Temporal workflow.' },
    { name: 'payments', description: 'Payments under agreements, at most one for each uid, and refunds.' },
    { name: 'clients', description: 'Merchants that initiate agreements.' },
    {
      name: 'counterparties',
      description: 'Parties whose payment accounts are verified before registration.',
    },
    {
      name: 'onboardings',
      description: 'The whole onboarding of a payer, from verification to the first payment.',
    },
    { name: 'batches', description: 'Many requests in one. Each row has its own outcome.' },
    {
      name: 'float accounts',
      description: 'Accounts at which money arrives: their entries, statements and unmatched credits.',
    },
    {
      name: 'settlement',
      description: 'What was expected, settled, reported and credited, and the journal of it.',
    },
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

const EVENT_BODY =
  'An event. In the form `thin`, it lacks `data`, `flag` and `previous`. The headers `webhook-id`, `webhook-timestamp` and `webhook-signature` prove its sender: [verify and answer a request](/docs/events#verify-and-answer-a-request).';

export function documentOf(endpoints: readonly Endpoint[]): Document {
  const described = new OpenAPIHono();
  // A clone, because the library extends only schemas that are made after it was loaded.
  for (const [name, schema] of Object.entries(NULLABLE_SCHEMAS))
    described.openAPIRegistry.register(name, schema.clone());
  for (const { routes } of endpoints)
    for (const { connection: _, ...route } of routes) described.openAPIRegistry.registerPath(route);
  for (const [name, scheme] of Object.entries(SECURITY_SCHEMES))
    described.openAPIRegistry.registerComponent('securitySchemes', name, scheme);
  for (const type of EVENT_TYPE_NAMES)
    described.openAPIRegistry.registerWebhook({
      ...({
        method: 'post',
        path: type,
        operationId: `on${inPascalCase(type)}`,
        tags: ['webhooks'],
      } as const),
      summary: EVENT_TYPES[type],
      description: EVENT_ADVICE[type],
      security: [],
      request: {
        body: { description: EVENT_BODY, required: true, content: { 'application/json': { schema: Event } } },
      },
      responses: {
        '2XX': {
          description:
            'Received. After any other answer, the event is sent again for up to three days; 410 disables the endpoint at once.',
        },
      },
    });
  return sharedParts(withNullableReferences(described.getOpenAPI31Document(DOCUMENT)));
}
