// What `npm run check:compose` does: proves what can be proved of docker-compose.yml where there is no docker.
// The schema first, then what a schema cannot see: variables, dependencies, versions, mounted files.
import { askedVariables, isThere, readServices, readVariables, variablesReadBy } from './compose/files.js';
import {
  brokenDependencies,
  mountedFiles,
  roomOf,
  unknownVariables,
  unpinnedImages,
} from './compose/rules.js';

const EXAMPLE = '.env.example';
const SANDBOX = 'docker/sandbox.env';

try {
  const services = await readServices(await readVariables(SANDBOX));
  const rooms = new Set(Object.values(services).flatMap((service) => roomOf(service) ?? []));
  const variables = new Map(
    await Promise.all([...rooms].map(async (room) => [room, await variablesReadBy(room)] as const)),
  );
  const problems = [
    ...unpinnedImages(services),
    ...brokenDependencies(services),
    ...unknownVariables(services, (room) => variables.get(room) ?? new Set()),
    ...mountedFiles(services).flatMap((path) => (isThere(path) ? [] : [`${path} is mounted and not there`])),
    ...(await undocumented()),
  ];
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const names = Object.keys(services);
  console.log(`docker-compose.yml is fine: ${names.length} services (${names.join(', ')})`);
} catch (error) {
  const lines = (error instanceof Error ? error.message : String(error)).split('\n');
  for (const line of lines) console.error(`docker-compose.yml: ${line}`);
  process.exitCode = 1;
}

/** A variable without an explanation, and an explanation of a variable that is not asked for. */
async function undocumented(): Promise<string[]> {
  const asked = await askedVariables();
  const explained = Object.keys(await readVariables(EXAMPLE));
  const filled = Object.keys(await readVariables(SANDBOX));
  return [
    ...[...asked]
      .filter((name) => !explained.includes(name))
      .map((name) => `${EXAMPLE} does not explain ${name}`),
    ...explained
      .filter((name) => !asked.has(name))
      .map((name) => `${EXAMPLE} explains ${name}, which is not asked for`),
    ...filled
      .filter((name) => !asked.has(name))
      .map((name) => `${SANDBOX} sets ${name}, which is not asked for`),
  ];
}
