// Whether what is asked for is what exists already, or another caller's. Pure.
import { differences, firstDifference } from './differences.js';
import type { Mandate } from '../agreement/mandate.js';

/** Whether another caller requested what was found. One that was found at the provider belongs to no caller. */
export const isOfAnother = (
  { requestedBy }: { requestedBy?: string | undefined },
  principal: string | undefined,
): boolean => requestedBy !== undefined && requestedBy !== principal;

/** An agreement of the uid that is asked for. */
interface FoundAgreement {
  state: string;
  connectionId?: string | undefined;
  requestedMandate?: Mandate | undefined;
  mandate?: Mandate | undefined;
  adopted: boolean;
}

/**
 * Where an agreement that exists is not the one that is asked for, as a JSON pointer into the request; nothing where it is the same. What
 * was found at the provider is compared as far as the provider answers it; what was asked of us, wholly.
 */
export function differenceFromAgreement(
  { connection, mandate }: { connection: string | undefined; mandate: Mandate },
  { requestedMandate, mandate: inForce, adopted, state, connectionId }: FoundAgreement,
): string | undefined {
  // What is in force may have been amended since; a repeat asks for what was asked then.
  const original = requestedMandate ?? inForce;
  if (original === undefined && state !== 'unknown') return 'nothing_to_compare';
  if (connection !== undefined && connectionId !== undefined && connection !== connectionId)
    return '/connection';
  return original === undefined || !adopted
    ? firstDifference(mandate, original)
    : differences(mandate, original)[0];
}
