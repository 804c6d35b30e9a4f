// Whether a request repeats an existing resource, and whether that belongs to another caller. Pure.
import { differences, firstDifference } from '../commands/differences.js';
import type { Mandate } from './mandate.js';

/** Whether another caller requested the existing resource. One that was found at the provider belongs to no caller. */
export const isOfAnother = (
  { requestedBy }: { requestedBy?: string | undefined },
  principal: string | undefined,
): boolean => requestedBy !== undefined && requestedBy !== principal;

/** The existing agreement with the requested uid. */
interface FoundAgreement {
  connectionId?: string | undefined;
  requestedMandate?: Mandate | undefined;
  mandate?: Mandate | undefined;
  adopted: boolean;
}

/** Only events have named the agreement: it was not requested, and the provider has not shown it. A request claims it. */
export const isVacant = ({
  requestedMandate,
  mandate,
}: Pick<FoundAgreement, 'requestedMandate' | 'mandate'>): boolean =>
  requestedMandate === undefined && mandate === undefined;

/**
 * The JSON pointer of the first difference between the request and an existing agreement; undefined if they are the same. An agreement found
 * at the provider is compared only in the fields that the provider returns. One that was requested from us is compared completely.
 */
export function differenceFromAgreement(
  { connection, mandate }: { connection: string | undefined; mandate: Mandate },
  { requestedMandate, mandate: inForce, adopted, connectionId }: FoundAgreement,
): string | undefined {
  // The current terms may have been amended, so a repeat is compared with the original request.
  const original = requestedMandate ?? inForce;
  if (connection !== undefined && connectionId !== undefined && connection !== connectionId)
    return '/connection';
  return original === undefined || !adopted
    ? firstDifference(mandate, original)
    : differences(mandate, original)[0];
}
