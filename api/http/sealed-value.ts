// What we give out sealed and take back: a consent's state, an operator's leave, a cursor of Temporal's lists.
import type { z } from 'zod';
import { SealError, open, seal } from '../../sealing/keyring.js';
import type { Keyring } from '../../sealing/keyring.js';

/** @param context what it is for: under any other it does not open. */
export const sealValue = (keyring: Keyring, value: unknown, context: string): string =>
  seal(keyring, JSON.stringify(value), context);

/** Nothing where it is not of our sealing for this context, or not of this form: some other release may have sealed another. */
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
