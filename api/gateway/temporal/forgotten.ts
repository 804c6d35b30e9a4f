// Commands to a thing without a run: Temporal has forgotten the last one, and its record decides (docs/decisions/0036-a-forgotten-run.md).
import type { RememberedRow } from '../../../domain/records/remembered.js';
import { RESOURCES, type ResourceName } from '../../../domain/resources.js';
import { notFound } from '../../http/problems/errors.js';
import { goneError, type Recordable } from '../records.js';
import type { Calls } from './calls.js';

/**
 * What the records have of a thing that has no run.
 * @throws ApiError `not_found` if they never had it, `gone`, or `records_unavailable`: then only a later request can tell.
 */
export async function rememberedOf<Resource extends ResourceName>(
  { recorded }: Pick<Calls, 'recorded'>,
  of: Recordable & { resource: Resource },
): Promise<RememberedRow> {
  const found = await recorded.ask(({ remembered }) => remembered(of.resource, of.uid));
  if (found === undefined) throw notFound(RESOURCES[of.resource].what);
  if (found.is === 'gone') throw goneError(of.resource, found);
  return found;
}
