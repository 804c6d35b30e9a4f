// The type of a reason code's row, and the sentences that several rows share. Pure.

export interface ReasonCode {
  /** As written in the provider's API files. */
  title: string;
  /** Whether the provider lets a payment with this failure be retried; undefined if no payment fails with this code. */
  retryable: boolean | undefined;
  means: string;
  /** A sentence for the payer; absent if it does not concern them. */
  payer?: string | undefined;
  /** What an operator or a backend can do. */
  next: string;
}

/** In the order of the columns: title, retryable, means, payer, next. */
export type Row = readonly [
  title: string,
  retryable: boolean | undefined,
  means: string,
  payer: string | undefined,
  next: string,
];

export const OTHER_ACCOUNT = 'This account cannot be used for PayTo. Please choose another one.';
export const AT_THE_BANK =
  'Your bank did not allow this payment. Please contact your bank, or choose another account.';
export const DELAYED = 'Your payment did not go through for a technical reason. No money was taken.';
export const OVER_LIMIT =
  'This is over a limit that your bank sets. Please raise it in your bank’s app, or pay another way.';
export const ENDED = 'The agreement has ended. A new one is needed before you can be charged again.';
export const NO_PAYTO = 'Your bank does not support PayTo. Please choose an account at another bank.';

export const NEW_AGREEMENT = 'Create another agreement, with another account of the payer.';
export const ASK_PAYER = 'Ask the payer what they want before you try anything else.';
