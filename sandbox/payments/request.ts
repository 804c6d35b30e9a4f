// The request for a new payment, and the data that its rules check.
import { z } from 'zod';
import type { Engine } from '../engine/parts.js';
import {
  asciiText,
  Cents,
  RequestAccountIdentifier,
  RequestMetadata,
  sandboxScript,
  Uid,
} from '../http/wire.schema.js';
import type { Limits } from '../store/account.schema.js';
import type { Agreement } from '../store/agreement.schema.js';
import type { AccountIdentifier } from '../store/entities.schema.js';
import { DocumentedPaymentSimulation, type Payment } from '../store/payment.schema.js';
import { sydneyDay } from '../time/sydney.js';

export const RequestCreditor = z.strictObject({
  party_name: asciiText(140),
  /** Required, but may be null. */
  ultimate_party_name: asciiText(140).nullable(),
  account_identifier: RequestAccountIdentifier,
});

export const CreatePayment = z.strictObject({
  uid: Uid,
  agreement_uid: Uid,
  amount: Cents,
  priority: z.enum(['attended', 'unattended']),
  reference: asciiText(35).nullish(),
  description: z.string().max(280).nullish(),
  creditor_reference: asciiText(35).nullish(),
  creditor: RequestCreditor.nullish(),
  debtor: z
    .strictObject({ party_name: asciiText(140).nullish(), ultimate_party_name: asciiText(140).nullish() })
    .nullish(),
  last_payment: z.boolean().nullish(),
  metadata: RequestMetadata.nullish(),
  sandbox: sandboxScript(DocumentedPaymentSimulation).optional(),
});
export type CreatePayment = z.output<typeof CreatePayment>;

export interface RequestedCreditor {
  party_name: string;
  ultimate_party_name?: string | null | undefined;
  account_identifier: AccountIdentifier;
}

/** The request of a caller, or of a refund. */
export type PaymentRequest = Omit<CreatePayment, 'creditor'> & {
  creditor?: RequestedCreditor | null | undefined;
};

export interface Case {
  request: PaymentRequest;
  agreement: Agreement;
  /** All payments of the same agreement, in any state. */
  earlier: readonly Payment[];
  /** The sum of today's submitted payments of the account that have not failed, in cents. Called only if there is a limit. */
  submittedToday: () => number;
  /** Today's date in Sydney. */
  today: string;
  limits: Limits;
  /** Whether the account may name the debtor. */
  customDebtor: boolean;
}

export function caseOf(
  { store, clock, settings }: Engine,
  request: PaymentRequest,
  agreement: Agreement,
): Case {
  const today = sydneyDay(clock.now());
  const payments = [...store.payments.values()];
  return {
    request,
    agreement,
    earlier: payments.filter(({ agreement_uid }) => agreement_uid === agreement.uid),
    submittedToday: () => sum(payments.filter((it) => it.state !== 'failed' && lastSubmission(it) === today)),
    today,
    limits: settings.limits,
    customDebtor: settings.customDebtor,
  };
}

const sum = (payments: readonly Payment[]): number =>
  payments.reduce((cents, { amount }) => cents + amount, 0);

/** The Sydney day of the latest submission: a retried payment counts towards the day of the retry. */
function lastSubmission({ submissions }: Payment): string | undefined {
  const atMs = submissions.at(-1);
  return atMs === undefined ? undefined : sydneyDay(atMs);
}
