// Sealed values that we hand out and get back: OAuth state, operator sessions, list cursors.
import type { z } from 'zod';
import { SealError, open, seal, type Keyring } from '../../sealing/keyring.js';

/** @param context the purpose. The value only opens in the same context. */
export const sealValue = (keyring: Keyring, value: unknown, context: string): string =>
  seal(keyring, JSON.stringify(value), context);

/** Undefined if we did not seal the value for this context, or if its form differs (another release may have sealed it). */
export function openValue<T>(
  keyring: Keyring,
  sealed: string,
  context: string,
  form: z.ZodType<T>,
): T | undefined {
  try {
    return form.safeParse(JSON.parse(open(keyring, sealed, context))).data;
  } catch (error) {
    if (error instanceof SealError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
