// The messages and types of a business registration: one run per connection and business number.
import { defineUpdate } from '@temporalio/workflow';
import type { ClientOrder } from '../../domain/client/request.schema.js';

export const REGISTRATION_WORKFLOW = 'registration';

/** The id of the workflow that owns a business: by its ABN, or by its ACN if it has no ABN; undefined without either. */
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
  /** The uid of the client that owns the business: the first one to claim it. */
  owner: string;
}

export interface Claim {
  /** The uid of the client that wants to register the business. */
  uid: string;
  /** The owner to replace: its client has ended, and the provider does not have it. */
  insteadOf?: string | undefined;
}

/** Returns the uid of the owner, after a replacement by `insteadOf`. */
export const claim = defineUpdate<string, [Claim]>('claim');
