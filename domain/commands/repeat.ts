// Whether a command, a payment or a resolution was asked for before: by the key that it came with, and by what was asked. Pure. The agreement
// judges by it while it lives, and the API once its run is over.
import { resolutionId, retryId } from './ids.js';
import { differences, firstDifference, isSame } from './differences.js';
import { canonical, isOtherUse } from './key-use.js';
import { isDropped } from '../facts/dropped-hashes.js';
import type { ActionRequest } from '../agreement/action.js';
import type { Fact } from '../facts/fact.js';
import type { KeyUse } from './key-use.js';
import type { Mandate, PaymentOrder } from '../agreement/mandate.js';
import type { RetryRequest } from '../payment/retry.js';
import type { AttentionResolution } from '../attention/resolution.js';

/** `other`: the key, or the uid, was used before, for something else. */
export type Repeat = 'none' | 'same' | 'other';

/** Whether the key was used before, and for the same command. */
export function repeatOfAction(actions: readonly ActionRequest[], { key, command }: ActionRequest): Repeat {
  const found = actions.find((action) => action.key === key);
  if (found === undefined) return 'none';
  return isSame(found.command, command) ? 'same' : 'other';
}

/** Whether another caller requested what was found. One that was found at the provider belongs to no caller. */
export const isOfAnother = (
  { requestedBy }: { requestedBy?: string | undefined },
  principal: string | undefined,
): boolean => requestedBy !== undefined && requestedBy !== principal;

/** What an agreement keeps of the payments that it admitted: of older ones the amount alone. */
interface Admitted {
  ledger: readonly { uid: string; amount: number; order?: PaymentOrder | undefined }[];
  keys?: readonly KeyUse[] | undefined;
}

interface RequestedPayment {
  uid: string;
  order: PaymentOrder;
  use?: KeyUse | undefined;
}

/** The key stands above the uid. `other_key`: it is the key that was used before, for something else. */
export function repeatOfPayment(
  { ledger, keys = [] }: Admitted,
  { uid, order, use }: RequestedPayment,
): Repeat | 'other_key' {
  const used = keys.find(({ key }) => key === use?.key);
  if (used !== undefined && use !== undefined) return isOtherUse(used, use) ? 'other_key' : 'same';
  const found = ledger.find((entry) => entry.uid === uid);
  if (found === undefined) return 'none';
  const isAlike = found.order === undefined ? found.amount === order.amount : isSame(found.order, order);
  return isAlike ? 'same' : 'other';
}

/** Whether this key was used among these, and for the same. */
export function repeatOfUse(before: readonly { use: KeyUse }[], use: KeyUse): Repeat {
  const found = before.find((one) => one.use.key === use.key);
  if (found === undefined) return 'none';
  return isOtherUse(found.use, use) ? 'other' : 'same';
}

/** What an agreement keeps: the newest facts in full, and of older ones hashes of the ids. */
export interface StoredFacts {
  facts: readonly Fact[];
  droppedHashes?: readonly string[] | undefined;
}

/** One that is known by its id alone does not say any more what it was about: it is taken for the same. */
export function repeatOfResolution(
  { facts, droppedHashes }: StoredFacts,
  { key, code, reason, decision, clientId }: AttentionResolution,
): Repeat {
  const id = resolutionId(key);
  const found = facts.find((fact) => fact.id === id);
  if (found === undefined) return isDropped(droppedHashes, id) ? 'same' : 'none';
  const { detail, reason: given } = found;
  const isAlike =
    detail?.['code'] === code &&
    detail['decision'] === decision &&
    detail['client_id'] === clientId &&
    given?.narrative === reason;
  return isAlike ? 'same' : 'other';
}

/** As `repeatOfResolution` does. */
export function repeatOfRetry(
  { facts, droppedHashes }: StoredFacts,
  { key, creditor }: RetryRequest,
): Repeat {
  const id = retryId(key);
  const before = facts.find((fact) => fact.id === id);
  if (before === undefined) return isDropped(droppedHashes, id) ? 'same' : 'none';
  const requested = creditor === undefined ? undefined : canonical(creditor);
  return before.detail?.['creditor'] === requested ? 'same' : 'other';
}

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
