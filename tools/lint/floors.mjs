// The floors within rooms: which folders may import which. .dependency-cruiser.mjs has the rooms.

/** The sandbox's folders in layers, lowest first. Each may import those of the rows above, but none in its own row. */
export const SANDBOX_ROOMS = [
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
    comment: 'a layer imports only lower layers, never higher ones',
    severity: 'error',
    from: { path: `^sandbox/${room}/` },
    to: {
      path: '^sandbox/',
      pathNot: [room, ...SANDBOX_ROOMS.slice(0, at).flat()].map((lower) => `^sandbox/${lower}/`),
    },
  })),
);

/** The shared floors of workflows, lowest first. Each may import those before it. The folders of workflows are above them. */
export const FLOORS = ['contracts', 'engine', 'on-temporal', 'resource'];

const workflowRules = FLOORS.map((floor, at) => ({
  name: `workflows-${floor}-imports`,
  comment: 'a floor imports only lower floors, and never the folder of a workflow',
  severity: 'error',
  from: { path: `^workflows/${floor}/` },
  to: { path: '^workflows/', pathNot: `^workflows/(${FLOORS.slice(0, at + 1).join('|')})/` },
}));

/** The floors of the domain, lowest first. A file may import its own floor and those before it. All other folders are resources, between the second
 * and the last: each knows its own rules, and resources.ts knows all of them. */
const DOMAIN_FLOORS = [['facts'], ['commands', 'provider', 'sweep', 'time']];
const ABOVE_RESOURCES = ['batch', 'onboarding', 'records'];

const domainRules = [
  ...DOMAIN_FLOORS.map((floor, at) => ({
    name: `domain-${floor.join('-')}-imports`,
    comment: 'facts, commands and sweeps serve all resources, so they know none of them',
    severity: 'error',
    from: { path: `^domain/(${floor.join('|')})/` },
    to: {
      path: '^domain/',
      pathNot: `^domain/(${DOMAIN_FLOORS.slice(0, at + 1)
        .flat()
        .join('|')})/`,
    },
  })),
  {
    name: 'domain-resources-imports',
    comment: 'a resource knows neither the table of all resources nor what is built on it',
    severity: 'error',
    from: { path: '^domain/[a-z-]+/', pathNot: `^domain/(${ABOVE_RESOURCES.join('|')})/` },
    to: { path: `^domain/(${ABOVE_RESOURCES.join('|')})/|^domain/resources\\.ts$` },
  },
];

const engineRule = {
  name: 'workflows-engine-knows-no-noun',
  comment: 'the loop, its steps and its records serve all workflows',
  severity: 'error',
  from: { path: '^workflows/engine/' },
  to: {
    path: '^domain/',
    pathNot: '^domain/(attention|commands|facts|provider|records|time)/|^domain/resources\\.ts$',
  },
};

/** What happens until the provider has a resource serves also those that the provider cannot be asked for. */
const submissionRule = {
  name: 'workflows-submission-imports',
  comment: 'a submission knows nothing of what is followed at the provider',
  severity: 'error',
  from: { path: '^workflows/resource/submission/' },
  to: { path: '^workflows/resource/', pathNot: '^workflows/resource/(submission/|(state|blocked)\\.ts$)' },
};

export const floorRules = [...sandboxRules, ...workflowRules, ...domainRules, engineRule, submissionRule];
