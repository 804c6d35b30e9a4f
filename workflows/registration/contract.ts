// How the outside world addresses the registration of a business: one run per connection and business number.
import { defineUpdate } from '@temporalio/workflow';
import type { ClientOrder } from '../../domain/client/request.schema.js';

export const REGISTRATION_WORKFLOW = 'registration';

/** The workflow that owns a business, by its ABN, or by its ACN where no ABN is given; nothing where it has neither number. */
export function registrationWorkflowId(
  connectionId: string,
  {
    australian_business_number: abn,
    australian_company_number: acn,
  }: Pick<ClientOrder, 'australian_business_number' | 'australian_company_number'>,
): string | undefined {
  const number = abn ?? (acn && `acn-${acn}`);
  return number && `registration/${connectionId}/${number}`;
}

export interface RegistrationInput {
  /** The uid of the client that owns the business: the first that claimed it. */
  owner: string;
}

export interface Claim {
  /** The uid of the client that wants to register the business. */
  uid: string;
  /** The owner to replace: its client ended, and the provider does not have it. */
  insteadOf?: string | undefined;
}

/** Answers the uid of the owner, which `insteadOf` replaces. */
export const claim = defineUpdate<string, [Claim]>('claim');
