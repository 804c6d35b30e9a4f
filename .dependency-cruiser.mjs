// Import rules. Each row: a room, its permitted imports besides itself, and the reason. tools/lint/floors.mjs has the floors within rooms.
import { FLOORS, SANDBOX_ROOMS, floorRules } from './tools/lint/floors.mjs';
const NODE = { dependencyTypes: ['core'] };
const npm = (...names) => ({ path: `node_modules/(${names.join('|')})/` });
const rooms = (...names) => ({ path: `^(${names.join('|')})/` });
/** The parts of workflows that other rooms may import. */
const CONTRACTS = { path: '^workflows/([a-z-]+/contract|contracts/[a-z-]+)\\.ts$' };
/** The answer to a request is the view of a new workflow, or of the state that an ended run has left. */
const VIEWS = { path: '^workflows/[a-z-]+/view\\.ts$' };

const ROWS = [
  { room: 'domain', may: [npm('zod')], because: 'the domain is pure: no Node, no Temporal, no other room' },
  {
    room: 'payments-api',
    may: [rooms('domain'), { path: '^sealing/secret\\.ts$' }, npm('zod', 'oauth4webapi', 'csv-parse'), NODE],
    because: 'the provider client does not depend on Temporal or Hono; it receives secrets in a wrapper',
  },
  {
    room: 'workflows',
    may: [rooms('domain', 'activities'), npm('@temporalio/workflow', '@temporalio/common')],
    because: 'workflows are replayed: no Node, no I/O, and no heavy packages',
  },
  {
    room: 'delivery',
    may: [
      rooms('domain'),
      CONTRACTS,
      VIEWS,
      npm('@temporalio/client', '@temporalio/common'),
      { path: '^(node:)?(crypto|net)$' },
    ],
    because:
      'delivery uses workflows only through their contracts and views; it needs crypto to hash event ids that do not fit ' +
      'into a workflow id, and net to check the addresses of webhooks',
  },
  {
    room: 'activities',
    may: [
      rooms('delivery', 'domain', 'payments-api', 'sealing', 'telemetry'),
      CONTRACTS,
      npm('@temporalio/activity', '@temporalio/common', '@temporalio/client', 'p-limit', 'standardwebhooks'),
      NODE,
    ],
    because: 'activities translate and make calls; they use workflows only through their contracts',
  },
  {
    room: 'records',
    may: [rooms('domain', 'sealing'), npm('kysely', 'pg', 'zod'), NODE],
    because: 'the records store what workflows decided, and depend neither on Temporal nor on the provider',
  },
  {
    room: 'api',
    may: [
      rooms('delivery', 'domain', 'records', 'sealing', 'settings', 'telemetry'),
      CONTRACTS,
      VIEWS,
      { path: '^payments-api/(webhook|account-hash|authorize-url|requests/intended)\\.ts$' },
      npm(
        'hono',
        '@hono/[a-z-]+',
        'zod',
        'uuid',
        'lru-cache',
        'marked',
        'p-limit',
        'hono-rate-limiter',
        'csv-stringify',
        '@temporalio/client',
        '@temporalio/common',
      ),
      NODE,
    ],
    because:
      'the API reaches Temporal through one gateway and never calls the provider, but checks requests like the provider client',
  },
  {
    room: 'client',
    may: [],
    because: 'backends import the client, which has no dependencies and is generated from the API document',
  },
  {
    room: 'examples',
    may: [{ path: '^client/create\\.ts$' }, npm('hono', '@hono/node-server', 'p-limit', 'zod'), NODE],
    because: 'examples show what backends write, so of this repository they use only the client',
  },
  {
    room: 'worker',
    may: [
      { path: '^activities/(index|dependencies|temporal/stops|tokens/access|sweep/schedule)\\.ts$' },
      {
        path: '^domain/(resources|needed-scopes|time/[a-z-]+|client/high-risk\\.schema|records/(batch|webhooks))\\.ts$',
      },
      { path: '^delivery/open\\.ts$' },
      // Webhooks contain resources as the API answers them.
      { path: '^api/routes/event/answer\\.schema\\.ts$' },
      CONTRACTS,
      rooms('payments-api', 'records', 'sealing', 'settings', 'telemetry'),
      npm('zod', '@temporalio/(worker|client|common)'),
      NODE,
    ],
    because: 'the worker wires the parts together, and uses workflows by path only',
  },
  {
    room: 'settings',
    may: [{ path: '^sealing/secret\\.ts$' }, npm('zod', '@temporalio/envconfig'), NODE],
    because: 'it reads environment variables for every process, and knows only their forms',
  },
  {
    room: 'sealing',
    may: [npm('@temporalio/common', 'protobufjs', '@hpke/(core|common)'), NODE],
    because:
      'keys and ciphers do not depend on other rooms; protobufjs encodes a payload as Temporal does, and hpke seals to workers',
  },
  {
    room: 'telemetry',
    may: [npm('pino', '@opentelemetry/(api|sdk-metrics|exporter-prometheus)'), NODE],
    because: 'logs and metrics must not depend on the code that they observe',
  },
  {
    room: 'sandbox',
    may: [npm('hono', '@hono/[a-z-]+', 'zod'), NODE],
    because: 'the simulated provider shares no code with the product',
  },
  {
    room: 'tools',
    may: [
      rooms('domain'),
      { path: '^(api|cli|sandbox|temporal-server|worker)/config\\.ts$' },
      { path: '^api/(app|routes/operations/document)\\.ts$' },
      { path: '^temporal-server/lock\\.ts$' },
      { path: '^payments-api/|^sandbox/(start\\.ts|http/scopes\\.ts|(control|store)/)' },
      npm(
        'execa',
        '(prettier|eslint)',
        'zod',
        'cli-table3',
        'ajv(-formats)?',
        '@apidevtools/swagger-parser',
        '@hey-api/openapi-ts',
        '@redocly/openapi-core',
        'compromise',
        'date-holidays',
      ),
      NODE,
    ],
    because:
      'build and check tools are independent of the product; they read only the domain’s tables, the configs and the ' +
      'contracts of routes, to draw the docs',
  },
  {
    room: 'temporal-server',
    may: [npm('execa', 'get-port', '@temporalio/testing', 'zod'), NODE],
    because: 'it finds, builds and starts the Temporal server, independent of the product',
  },
  {
    room: 'postgres-server',
    may: [rooms('temporal-server'), npm('execa'), NODE],
    because: 'it starts the embedded PostgreSQL, independent of the product',
  },
  {
    room: 'cli',
    may: [
      { path: '^sealing/(keyring|public-key)\\.ts$' },
      rooms('client', 'postgres-server', 'temporal-server'),
      { path: '^sandbox/http/scopes\\.ts$' },
      npm(
        'zod',
        'execa',
        'cli-table3',
        'pino',
        'standardwebhooks',
        'commander',
        '@temporalio/client',
        '@temporalio/common',
      ),
      NODE,
    ],
    because:
      'the CLI starts processes, makes keys and uses HTTP; it imports no internals of other rooms, and of the sandbox only the ' +
      'scopes. ' +
      'The demo needs @temporalio/client and common to skip days on the clock of a workflow',
  },
];

const ruleOf = ({ room, may, because }) => ({
  name: `${room}-imports`,
  comment: because,
  severity: 'error',
  from: { path: `^${room}/` },
  to: {
    pathNot: [`^${room}/`, ...may.flatMap(({ path }) => path ?? [])],
    ...(may.includes(NODE) ? { dependencyTypesNot: ['core'] } : {}),
  },
});

export default {
  forbidden: [
    ...ROWS.map(ruleOf),
    {
      name: 'sandbox-rooms-have-a-place',
      comment:
        'add each new folder of the sandbox to a row of SANDBOX_ROOMS; files outside folders wire and start it',
      severity: 'error',
      from: { path: '^sandbox/[^/]+/', pathNot: SANDBOX_ROOMS.flat().map((room) => `^sandbox/${room}/`) },
      to: {},
    },
    {
      name: 'a-story-alone',
      comment:
        'a workflow may import the floors below it and the contract.ts of other workflows, ' +
        'so that each can be read, changed and replayed alone',
      severity: 'error',
      from: { path: '^workflows/([a-z-]+)/', pathNot: `^workflows/(${FLOORS.join('|')})/` },
      to: {
        path: '^workflows/',
        pathNot: [`^workflows/($1|${FLOORS.join('|')})/`, '^workflows/[a-z-]+/contract\\.ts$'],
      },
    },
    ...floorRules,
    {
      name: 'one-runtime',
      comment:
        'the loop, the steps and the handling of failures use a runtime, so that model tests run the real code in ' +
        'virtual time; only workflows/on-temporal, contracts and workflow bodies use Temporal directly. ' +
        'tools/lint/reachable.mjs checks indirect imports',
      severity: 'error',
      from: {
        path: '^workflows/',
        pathNot: ['^workflows/(on-temporal|contracts)/', '^workflows/[a-z-]+/(contract|workflow)\\.ts$'],
      },
      to: { path: 'node_modules/@temporalio/workflow/' },
    },
    {
      name: 'zod-in-schema-files',
      comment:
        'code that workflows can reach must not load zod: it costs fifteen times the heap per cached run',
      severity: 'error',
      from: { path: '^domain/', pathNot: '\\.schema\\.ts$' },
      to: { path: 'node_modules/zod/' },
    },
    {
      name: 'schemas-as-types',
      comment: 'workflows and the domain import schemas and activities only as types',
      severity: 'error',
      from: { path: '^(domain|workflows)/', pathNot: '\\.schema\\.ts$' },
      to: { path: '(\\.schema\\.ts$|^activities/)', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'temporal-client-as-type',
      comment: 'activities receive their Temporal client as an argument',
      severity: 'error',
      from: { path: '^activities/' },
      to: { path: 'node_modules/@temporalio/client/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'one-gateway-to-temporal',
      comment: 'only the gateway and main use Temporal',
      severity: 'error',
      from: { path: '^api/', pathNot: '^api/(gateway/.+|main)\\.ts$' },
      to: { path: 'node_modules/@temporalio/(client|common)/' },
    },
    {
      name: 'nobody-imports-tests',
      comment: 'no other code imports tests and benches',
      severity: 'error',
      from: { pathNot: '^(test|bench)/' },
      to: { path: '^(test|bench)/' },
    },
    {
      name: 'no-cycles',
      comment:
        'imports must not form a cycle. Only a contract may import the type of a view from the function that makes it',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { pathNot: '^workflows/[a-z-]+/view\\.ts$' } },
    },
    {
      name: 'no-cycles-of-values',
      comment: 'imports of values must not form a cycle',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'resolvable',
      comment: 'every import must resolve',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
