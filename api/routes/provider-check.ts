// What our own client would not send is refused before anything is accepted: by the very function that the client uses.
import { faultsOf } from '../../payments-api/requests/intended.js';
import type { Intended } from '../../payments-api/requests/intended.js';
import type { ApiDependencies } from '../http/dependencies.js';
import { ApiError } from '../http/problems/errors.js';
import { pointerTo } from '../http/problems/validation.js';

/**
 * Resolves where it may be sent, or was accepted before: a repeat gets its first answer, whatever is no longer taken by now.
 * @param isRepeat whether there is something of that name already, which then judges the repeat; left out where a repeat is refused alike.
 * @throws ApiError `provider_would_refuse`, with each field and the version of the provider's API.
 */
export async function assertSendable(
  dependencies: Checking,
  intended: Intended,
  isRepeat: () => Promise<boolean> = () => Promise.resolve(false),
): Promise<void> {
  const faults = faultsIn(dependencies, intended);
  if (faults.length === 0 || (await isRepeat())) return;
  throw wouldRefuse(dependencies, faults);
}

type Checking = Pick<ApiDependencies, 'providerVersion' | 'clock'>;

/** What would not be sent, each with its place. */
export const faultsIn = ({ providerVersion: version, clock }: Checking, intended: Intended): Fault[] =>
  faultsOf(intended, { version, now: () => new Date(clock.now()) }).map(({ path, detail }) => ({
    pointer: pointerTo(path),
    detail,
  }));

/** A field, and what was expected of it. */
export interface Fault {
  pointer: string;
  detail: string;
}

/** The 422 for a request that the provider certainly refuses. Nothing was sent. */
export const wouldRefuse = (
  { providerVersion: version }: Pick<Checking, 'providerVersion'>,
  errors: readonly Fault[],
): ApiError =>
  new ApiError(
    'provider_would_refuse',
    `Expected a request that version ${version} of the payments API takes; nothing was sent.`,
    { errors, providerVersion: version },
  );
