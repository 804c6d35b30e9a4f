// What a refused call means to whoever made it: wait for a person's consent, or something to judge.
import { ActivityFailure, ApplicationFailure, isCancellation } from '@temporalio/workflow';
import type { PaymentFailure } from '../domain/payment.js';
import type { Blocked } from './record.js';

/** What an activity's failure says, in the words of activities/failure.ts. `unanswered`: no one knows. */
export interface CallFailure {
  code: string;
  providerCodes: string[];
  title?: string | undefined;
  requiredScope?: string | undefined;
}

/** Reads a failed activity; anything that is not one is a fault of ours, or a cancellation, and is thrown on. */
export function callFailureOf(error: unknown): CallFailure {
  if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
  const { cause } = error;
  if (!(cause instanceof ApplicationFailure)) return { code: 'unanswered', providerCodes: [] };
  return { code: cause.type ?? 'unanswered', ...evidenceIn(cause.details?.[0]) };
}

function evidenceIn(detail: unknown): Omit<CallFailure, 'code'> {
  if (typeof detail !== 'object' || detail === null) return { providerCodes: [] };
  const codes: unknown = Reflect.get(detail, 'providerCodes');
  const title: unknown = Reflect.get(detail, 'title');
  const requiredScope: unknown = Reflect.get(detail, 'requiredScope');
  return {
    providerCodes: Array.isArray(codes) ? codes.filter((code) => typeof code === 'string') : [],
    title: typeof title === 'string' ? title : undefined,
    requiredScope: typeof requiredScope === 'string' ? requiredScope : undefined,
  };
}

/** The wait that this failure asks for, when only consent can help (design 5.1: agreements wait, they do not fail). */
export function blockedBy(failure: CallFailure, since: string): Blocked | undefined {
  if (failure.code === 'needs_reauthorisation') {
    return { code: 'needs_reauthorisation', since, detail: 'The connection has no consent at present.' };
  }
  if (failure.code === 'forbidden') {
    const scope = failure.requiredScope ?? 'one that it did not name';
    return {
      code: 'forbidden',
      since,
      detail: `The provider asks for a scope that the consent lacks: ${scope}.`,
    };
  }
  return undefined;
}

/** The provider will not even be asked; a person must see why before it makes sense to go on. */
export const refusedToAnswer = ({ code, providerCodes }: CallFailure, since: string): Blocked => ({
  code: 'forbidden',
  since,
  detail: `The provider refuses to be asked (${[code, ...providerCodes].join(', ')}).`,
});

export const refusalOf = (failure: CallFailure): PaymentFailure => ({
  code: failure.providerCodes[0] ?? failure.code,
  title: failure.title,
  retryable: false,
});
