// The names of the activities that read a resource of the provider: the read, then the resource, for example `findPayment`.
import type { ProviderResource } from '../../domain/resources.js';

/** The name of the activity. */
export const readName = <Read extends string, Resource extends ProviderResource>(
  read: Read,
  resource: Resource,
) => `${read}${resource.charAt(0).toUpperCase()}${resource.slice(1)}` as `${Read}${Capitalize<Resource>}`;

type Named<Resource extends ProviderResource, Values> = {
  [Read in keyof Values & string as `${Read}${Capitalize<Resource>}`]: Values[Read];
};

/** @param values one for each read of the resource. @returns the same values, by the names of the activities. */
export const namedReads = <Resource extends ProviderResource, Values extends object>(
  resource: Resource,
  values: Values,
) =>
  Object.fromEntries(
    Object.entries(values).map(([read, value]: [string, unknown]) => [readName(read, resource), value]),
  ) as Named<Resource, Values>;
