// Refuses requests that our provider client would not send, before we accept them. Uses the same checks as that client.
import { faultsOf, type Intended } from '../../payments-api/requests/intended.js';
import type { ApiDependencies } from '../http/dependencies.js';
import { ApiError } from '../http/problems/errors.js';
import { pointerTo } from '../http/problems/validation.js';

/**
 * Resolves if the request may be sent, or is a repeat: a repeat passes even if it would be refused by now.
 * @param isRepeat whether the resource already exists. Omit it if repeats are checked too.
 * @throws ApiError `provider_would_refuse`, with all faults and the version of the provider's API.
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

/** All faults that would prevent sending the request. */
export const faultsIn = ({ providerVersion: version, clock }: Checking, intended: Intended): Fault[] =>
  faultsOf(intended, { version, now: () => new Date(clock.now()) }).map(({ path, detail }) => ({
    pointer: pointerTo(path),
    detail,
  }));

/** A field and its expected value. */
export interface Fault {
  pointer: string;
  detail: string;
}

/** The 422 for a request that the provider would certainly refuse. @param what the resource, if it is refused in every version. */
export const wouldRefuse = (
  { providerVersion: version }: Pick<Checking, 'providerVersion'>,
  errors: readonly Fault[],
  what?: string,
): ApiError =>
  new ApiError(
    'provider_would_refuse',
    (what === undefined
      ? `Version ${version} of the payments API would refuse this request.`
      : `The provider would refuse this ${what}.`) + ' Nothing was sent. Correct the fields in `errors`.',
    { errors, providerVersion: version },
  );
