// The bodies of requests about a counterparty (docs/provider.md#counterparties), with the provider's field names.
import { z } from 'zod';
import { AccountIdentifierSchema, UidSchema, text } from '../agreement/mandate.schema.js';
import { PayerSchema } from '../agreement/payer.schema.js';

const ThirdParty = z
  .strictObject({
    method: z.literal('third_party_provider'),
    provider_name: text(140),
    reference: text(140),
    verified_at: z.iso
      .datetime({ offset: true, error: 'expected an RFC 3339 instant with a time zone' })
      .meta({ description: 'When it was verified. Must be in the past.', example: '2026-10-03T02:00:00Z' }),
  })
  .meta({
    id: 'ThirdPartyVerification',
    description: 'A third party has verified it. The fields name the third party and its reference.',
  });

const AccountVerification = z
  .discriminatedUnion('method', [
    ThirdParty,
    z.strictObject({ method: z.literal('account_validation') }).meta({
      description:
        'The provider asks the bank whether the account has the name `party_name` (Confirmation of Payee).',
    }),
    z.strictObject({ method: z.literal('alias_resolution') }).meta({
      description: 'The worker looks up the PayID. This happens for every PayID, whatever method you choose.',
    }),
  ])
  .meta({ id: 'AccountVerification' });

const account = {
  account_identifier: AccountIdentifierSchema,
  party_name: text(140).optional().meta({
    description:
      'The name of the account holder. Required for `account_validation`. The provider does not store it.',
  }),
  verification: AccountVerification.optional(),
};

/** Our limit. The provider allows more, but each account may need its own verification. */
const MOST_ACCOUNTS = 20;

const Identity = z.strictObject({ legal_name: text(140), verification: ThirdParty }).meta({
  id: 'CounterpartyIdentity',
  description: 'Who the payer is, as a third party has verified it. Required for a high-risk client.',
});

export const CreateCounterparty = z
  .strictObject({
    uid: UidSchema.optional().meta({
      description: 'Default: derived from the connection and the Idempotency-Key.',
    }),
    connection: UidSchema.optional().meta({
      description: 'The connection of the counterparty. Optional if there is only one.',
    }),
    client_id: text(64).optional().meta({
      description:
        'The provider’s id of the client whose agreements use this counterparty. Default: the primary client. A high-risk client (HIGH_RISK_MCC) requires an identity and a verification of each account.',
    }),
    identity: Identity.optional(),
    payment_accounts: z
      .array(z.strictObject(account).meta({ id: 'NewPaymentAccount' }))
      .min(1)
      .max(MOST_ACCOUNTS)
      .meta({ description: 'The accounts to verify and register. Agreements name one of them.' }),
    payer: PayerSchema.optional(),
  })
  .meta({ id: 'CreateCounterparty' });

/** One account, as a caller requests it. */
export type AccountRequest = z.output<typeof CreateCounterparty>['payment_accounts'][number];

/** An account with its uid at the provider, which we derive. */
export interface AccountOrder extends AccountRequest {
  uid: string;
}

/** The requested counterparty. */
export interface CounterpartyOrder extends Pick<
  z.output<typeof CreateCounterparty>,
  'client_id' | 'identity'
> {
  payment_accounts: AccountOrder[];
}

const onAccount = {
  payment_account_uid: UidSchema.meta({
    description: 'The uid of the account, as `payment_accounts` shows it.',
    example: '5f0c61d2-a1f2-4c3c-8a60-c1f7d40a7b11',
  }),
  reason: text(256).meta({ description: 'The reason; stored with the counterparty.' }),
};

export const CorrectCounterparty = z
  .strictObject({
    payment_account_uid: onAccount.payment_account_uid.optional(),
    reason: onAccount.reason,
    identity: Identity.optional(),
    account_identifier: AccountIdentifierSchema.optional(),
    party_name: account.party_name,
    verification: AccountVerification.optional().meta({
      description: 'A different verification method. A requested verification cannot be removed.',
    }),
    payer: PayerSchema.optional(),
  })
  .refine(
    ({ identity, account_identifier, party_name, verification }) =>
      [identity, account_identifier, party_name, verification].some((one) => one !== undefined),
    'expected at least one of identity, account_identifier, party_name and verification',
  )
  .refine(
    ({ payment_account_uid, account_identifier, party_name, verification }) =>
      payment_account_uid !== undefined ||
      [account_identifier, party_name, verification].every((one) => one === undefined),
    { path: ['payment_account_uid'], error: 'expected the uid of the account to correct' },
  )
  .meta({ id: 'CorrectCounterparty' });
export type CounterpartyCorrection = Omit<
  z.output<typeof CorrectCounterparty>,
  'reason' | 'payment_account_uid'
>;

export const WithdrawCounterparty = z
  .strictObject({ reason: onAccount.reason })
  .meta({ id: 'WithdrawCounterparty' });

export const AcceptCloseMatch = z.strictObject(onAccount).meta({ id: 'AcceptCloseMatch' });
