// All that the rules for a new payment look at.
import type { Agreement } from '../agreements/agreement.schema.js';
import type { Limits } from '../account.schema.js';
import type { AccountIdentifier } from '../entities.schema.js';
import type { CreatePayment } from './create-payment.schema.js';
import type { Engine } from '../engine.js';
import type { Payment } from './payment.schema.js';
import { sydneyDay } from '../time/sydney.js';

export interface RequestedCreditor {
  party_name: string;
  ultimate_party_name?: string | null | undefined;
  account_identifier: AccountIdentifier;
}

/** What a caller asks for, or a refund in its place. */
export type PaymentRequest = Omit<CreatePayment, 'creditor'> & {
  creditor?: RequestedCreditor | null | undefined;
};

export interface Case {
  request: PaymentRequest;
  agreement: Agreement;
  /** Those under the same agreement, whatever became of them. */
  earlier: readonly Payment[];
  /** What the account has submitted today and has not failed, in cents. Asked for only where there is a limit. */
  submittedToday: () => number;
  /** The day it is in Sydney. */
  today: string;
  limits: Limits;
  /** Whether the account may name the debtor itself. */
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

/** The day in Sydney: a payment tried again weighs on the day on which that is done. */
function lastSubmission({ submissions }: Payment): string | undefined {
  const atMs = submissions.at(-1);
  return atMs === undefined ? undefined : sydneyDay(atMs);
}
