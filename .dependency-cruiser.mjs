// Who may import whom. Each row: a room, what it may import besides itself, and why.
const NODE = { dependencyTypes: ['core'] };
const npm = (...names) => ({ path: `node_modules/(${names.join('|')})/` });
const rooms = (...names) => ({ path: `^(${names.join('|')})/` });
/** All that other rooms may know of workflows. */
const CONTRACTS = { path: '^workflows/([a-z-]+/contract|entity/search-attributes)\\.ts$' };

const ROWS = [
  { room: 'domain', may: [npm('zod')], because: 'the domain is pure: no Node, no Temporal, no other room' },
  {
    room: 'payments-api',
    may: [rooms('domain'), { path: '^sealing/secret\\.ts$' }, npm('zod', 'oauth4webapi'), NODE],
    because: 'the provider’s HTTP knows nothing of Temporal or Hono; the secrets that it hands us come boxed',
  },
  {
    room: 'workflows',
    may: [rooms('domain', 'activities'), npm('@temporalio/workflow', '@temporalio/common')],
    because: 'workflows are replayed: no Node, no I/O, and nothing that weighs',
  },
  {
    room: 'delivery',
    may: [
      rooms('domain'),
      CONTRACTS,
      npm('@temporalio/client', '@temporalio/common'),
      { path: '^(node:)?crypto$' },
    ],
    because:
      'what delivers to a workflow knows it by contract, and those that have it deliver not at all; ' +
      'crypto: an event id that fits into no workflow id is hashed',
  },
  {
    room: 'activities',
    may: [
      rooms('delivery', 'domain', 'payments-api', 'sealing', 'telemetry'),
      CONTRACTS,
      npm('@temporalio/activity', '@temporalio/common', '@temporalio/client'),
      NODE,
    ],
    because: 'activities translate, call, translate; they know workflows by contract',
  },
  {
    room: 'api',
    may: [
      rooms('delivery', 'domain', 'sealing', 'telemetry'),
      CONTRACTS,
      { path: '^payments-api/(webhook|authorize-url|requests/intended)\\.ts$' },
      npm(
        'hono',
        '@hono/[a-z-]+',
        'zod',
        'uuid',
        'lru-cache',
        'swagger-ui-dist',
        '@temporalio/envconfig',
        '@temporalio/client',
        '@temporalio/common',
      ),
      NODE,
    ],
    because:
      'the API has one gateway to Temporal and never calls the provider, though it judges requests as the client does',
  },
  {
    room: 'client',
    may: [npm('openapi-fetch')],
    because: 'what backends import knows the API by its document alone',
  },
  {
    room: 'worker',
    may: [
      { path: '^activities/(index|dependencies|temporal/stops|tokens/access|sweep/schedule)\\.ts$' },
      { path: '^domain/client/high-risk\\.schema\\.ts$' },
      { path: '^delivery/open\\.ts$' },
      CONTRACTS,
      rooms('payments-api', 'sealing', 'telemetry'),
      npm('zod', '@temporalio/(worker|client|common|envconfig)'),
      NODE,
    ],
    because: 'the worker wires, and reaches workflows by path only',
  },
  {
    room: 'sealing',
    may: [npm('@temporalio/common', 'protobufjs'), NODE],
    because:
      'keys and ciphers depend on nothing of ours; protobufjs writes a payload as Temporal itself does',
  },
  {
    room: 'telemetry',
    may: [npm('pino', 'prom-client'), NODE],
    because: 'what observes depends on nothing that it observes',
  },
  {
    room: 'sandbox',
    may: [npm('hono', '@hono/[a-z-]+', 'zod'), NODE],
    because: 'the pretended provider shares no code with the product',
  },
  {
    room: 'tools',
    may: [
      rooms('domain'),
      { path: '^(api|cli|sandbox|temporal-server|worker)/config\\.ts$' },
      { path: '^api/(app|routes/operations/document)\\.ts$' },
      { path: '^temporal-server/lock\\.ts$' },
      { path: '^payments-api/|^sandbox/(start\\.ts|http/scopes\\.ts|(control|store)/)' },
      npm('execa', '(prettier|eslint)', 'zod', 'cli-table3', 'ajv(-formats)?', '@apidevtools/swagger-parser'),
      NODE,
    ],
    because:
      'what builds and checks stands apart from what is built; the domain’s tables, the configs and the ' +
      'contracts of routes are drawn as they are',
  },
  {
    room: 'temporal-server',
    may: [npm('execa', 'get-port', '@temporalio/testing', 'zod'), NODE],
    because: 'it finds, builds and starts the Temporal server, and knows nothing of the product',
  },
  {
    room: 'cli',
    may: [
      rooms('client', 'temporal-server'),
      { path: '^sandbox/http/scopes\\.ts$' },
      npm('zod', 'execa', 'cli-table3', 'pino', '@temporalio/client', '@temporalio/common'),
      NODE,
    ],
    because:
      'what a person types starts processes and talks HTTP; it knows no room from inside, and of the sandbox which scopes ' +
      'there are. ' +
      '@temporalio/client and common: the demo moves the own clock of a workflow on, so that days pass in seconds',
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

/** The rooms of the sandbox from the lowest: each may import those of the rows above its own, and none beside it. */
const SANDBOX_ROOMS = [
  ['http', 'faults'],
  ['store'],
  ['time'],
  ['webhooks', 'tokens'],
  ['engine'],
  ['calls'],
  ['clients', 'float-accounts', 'checks', 'deliveries', 'oauth', 'investigations', 'reports'],
  ['agreements', 'identity'],
  ['amendments', 'payments'],
  ['payer', 'refunds'],
  ['control', 'pages'],
];

const sandboxRules = SANDBOX_ROOMS.flatMap((row, at) =>
  row.map((room) => ({
    name: `sandbox-${room}-imports`,
    comment: 'no arrow leads back up: a resource imports what it stands on, and never the reverse',
    severity: 'error',
    from: { path: `^sandbox/${room}/` },
    to: {
      path: '^sandbox/',
      pathNot: [room, ...SANDBOX_ROOMS.slice(0, at).flat()].map((lower) => `^sandbox/${lower}/`),
    },
  })),
);

export default {
  forbidden: [
    ...ROWS.map(ruleOf),
    ...sandboxRules,
    {
      name: 'sandbox-rooms-have-a-place',
      comment:
        'a new folder of the sandbox joins a row of SANDBOX_ROOMS; the files beside them wire and start',
      severity: 'error',
      from: { path: '^sandbox/[^/]+/', pathNot: SANDBOX_ROOMS.flat().map((room) => `^sandbox/${room}/`) },
      to: {},
    },
    {
      name: 'a-story-alone',
      comment:
        'a story knows what all stories share (workflows/entity) and how others are addressed (their contract.ts), ' +
        'so that one can be read, changed and replayed without the rest',
      severity: 'error',
      from: { path: '^workflows/([a-z-]+)/', pathNot: '^workflows/entity/' },
      to: { path: '^workflows/', pathNot: ['^workflows/($1|entity)/', '^workflows/[a-z-]+/contract\\.ts$'] },
    },
    {
      name: 'entity-knows-no-story',
      comment: 'what all stories share would otherwise be part of one of them',
      severity: 'error',
      from: { path: '^workflows/entity/' },
      to: { path: '^workflows/', pathNot: '^workflows/entity/' },
    },
    {
      name: 'one-runtime',
      comment:
        'the loop, the steps and the handling of failures run over a runtime, so that model tests run what ships in ' +
        'virtual time; only the runtime itself, contracts and bodies of workflows know that it is Temporal’s. What they ' +
        'reach through others is judged by tools/lint/reachable.mjs',
      severity: 'error',
      from: {
        path: '^workflows/',
        pathNot: [
          '^workflows/entity/engine/(temporal|ordinary|early-events)\\.ts$',
          '^workflows/[a-z-]+/(contract|workflow)\\.ts$',
        ],
      },
      to: { path: 'node_modules/@temporalio/workflow/' },
    },
    {
      name: 'zod-in-schema-files',
      comment: 'whatever a workflow can reach is free of zod: it costs fifteen times the heap per cached run',
      severity: 'error',
      from: { path: '^domain/', pathNot: '\\.schema\\.ts$' },
      to: { path: 'node_modules/zod/' },
    },
    {
      name: 'schemas-as-types',
      comment: 'schemas and activities reach workflows and the domain as types only',
      severity: 'error',
      from: { path: '^(domain|workflows)/', pathNot: '\\.schema\\.ts$' },
      to: { path: '(\\.schema\\.ts$|^activities/)', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'temporal-client-as-type',
      comment: 'activities are given their Temporal client',
      severity: 'error',
      from: { path: '^activities/' },
      to: { path: 'node_modules/@temporalio/client/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'one-gateway-to-temporal',
      comment: 'only the gateway and main know that Temporal is behind it',
      severity: 'error',
      from: { path: '^api/', pathNot: '^api/(gateway/.+|main)\\.ts$' },
      to: { path: 'node_modules/@temporalio/(client|common)/' },
    },
    {
      name: 'nobody-imports-tests',
      comment: 'tests and benches are at the end of every road',
      severity: 'error',
      from: { pathNot: '^(test|bench)/' },
      to: { path: '^(test|bench)/' },
    },
    {
      name: 'no-cycles',
      comment: 'the road never goes back',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'resolvable',
      comment: 'an import that leads nowhere',
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
