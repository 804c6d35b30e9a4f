// Draws the tables of docs/configuration.md from the configs that read the variables: `npm run docs:configuration`.
// With `--check` it writes nothing, and exits with 1 if the page is out of date.
import { fileURLToPath } from 'node:url';
import { ApiEnvironment } from '../api/config.js';
import { StartEnvironment } from '../cli/config.js';
import { SandboxConfig, VARIABLES } from '../sandbox/config.js';
import { ExpiryEnvironment, MigrateEnvironment, WorkerEnvironment } from '../worker/config.js';
import { code, redraw, table, type DrawnPage } from './drawn-page.js';
import { TEMPORAL_VARIABLES } from '../temporal-server/config.js';

interface Variable {
  name: string;
  /** The processes that read it. */
  readers: string[];
  usual: string;
  /** Absent if another process describes it. */
  what: string | undefined;
}

/** The parts of a zod schema that we read. */
interface Setting {
  description?: string | undefined;
  safeParse(value: undefined): { success: boolean; data?: unknown };
}

const NONE = '–';
const START = '`npm start`';
const MIGRATE = '`npm run migrate`';
const EXPIRE = '`npm run expire`';

/** The variables that Temporal's own library reads. TEMPORAL_UI_URL is ours. */
const TEMPORALS_OWN: readonly Variable[] = [
  ['TEMPORAL_ADDRESS', 'localhost:7233', 'host and port of Temporal; if set, `npm start` starts no server'],
  ['TEMPORAL_NAMESPACE', 'default', 'the namespace'],
  ['TEMPORAL_API_KEY', undefined, 'the API key, for Temporal Cloud'],
  ['TEMPORAL_TLS*', undefined, 'TLS, and the client certificate if the server requires one'],
  ['TEMPORAL_PROFILE', 'default', 'the profile to read from the file'],
  ['TEMPORAL_CONFIG_FILE', undefined, 'a file of profiles, as an alternative to these variables'],
].map(([name = '', usual, what]) => ({ name, readers: ['api', 'worker'], usual: cellOf(usual), what }));

const SETTINGS: readonly (readonly [reader: string, settings: Readonly<Record<string, Setting>>])[] = [
  ['api', ApiEnvironment.shape],
  ['worker', WorkerEnvironment.shape],
  [MIGRATE, MigrateEnvironment.shape],
  [EXPIRE, ExpiryEnvironment.shape],
  [START, StartEnvironment.shape],
  [
    'sandbox',
    Object.fromEntries(Object.entries(VARIABLES).map(([key, { name }]) => [name, sandboxSetting(key)])),
  ],
];

const OF_TEMPORALS_SERVER: readonly Variable[] = Object.entries(TEMPORAL_VARIABLES).map(
  ([name, { usual, what }]) => ({ name, readers: [START, 'tests'], usual: cellOf(usual), what }),
);

function sandboxSetting(key: string): Setting {
  const setting = Object.entries(SandboxConfig.shape).find(([name]) => name === key)?.[1];
  if (setting === undefined) throw new Error(`expected a setting ${key} of the sandbox; found none`);
  return setting;
}

/** The default as a table cell. A variable without a default is either required or optional. */
function cellOf(usual: unknown): string {
  if (usual === undefined || usual === null || (Array.isArray(usual) && usual.length === 0)) return NONE;
  return code(typeof usual === 'string' ? usual : JSON.stringify(usual));
}

function variableOf(reader: string, name: string, setting: Setting): Variable {
  const { success, data } = setting.safeParse(undefined);
  return { name, readers: [reader], usual: success ? cellOf(data) : 'required', what: setting.description };
}

/** Every variable once. The process that describes it also provides its default. */
function allVariables(): Variable[] {
  const read = SETTINGS.flatMap(([reader, settings]) =>
    Object.entries(settings).map(([name, setting]) => variableOf(reader, name, setting)),
  );
  const found = new Map<string, Variable>();
  for (const next of [...TEMPORALS_OWN, ...read, ...OF_TEMPORALS_SERVER]) {
    const earlier = found.get(next.name);
    if (earlier?.what !== undefined && next.what !== undefined && earlier.what !== next.what) {
      throw new Error(`expected one description of ${next.name}; found two`);
    }
    const { usual, what } = earlier?.what === undefined ? next : earlier;
    found.set(next.name, {
      name: next.name,
      readers: [...(earlier?.readers ?? []), ...next.readers],
      usual,
      what,
    });
  }
  return [...found.values()];
}

const isRead =
  (reader: string) =>
  ({ readers }: Variable): boolean =>
    readers.includes(reader);
const isApi = isRead('api');
const isWorker = isRead('worker');
const isSandbox = isRead('sandbox');

function tableOf(isMeant: (variable: Variable) => boolean): string {
  const rows = allVariables()
    .filter(isMeant)
    .map(({ name, readers, usual, what }) => {
      if (what === undefined) throw new Error(`expected a description of ${name}; found none`);
      return [code(name), usual, readers.join(', '), what];
    });
  return table({ headings: ['variable', 'default', 'read by', 'description'], rows });
}

export const CONFIGURATION_PAGE: DrawnPage = {
  path: 'docs/configuration.md',
  script: 'docs:configuration',
  sections: [
    ['API and worker', () => tableOf((one) => isApi(one) && isWorker(one))],
    ['API', () => tableOf((one) => isApi(one) && !isWorker(one))],
    ['Worker', () => tableOf((one) => isWorker(one) && !isApi(one))],
    ['Sandbox', () => tableOf(isSandbox)],
    [START, () => tableOf((one) => !isApi(one) && !isWorker(one) && !isSandbox(one))],
  ],
};

if (process.argv[1] === fileURLToPath(import.meta.url)) await redraw(CONFIGURATION_PAGE);
