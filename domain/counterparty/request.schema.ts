// What callers may say of a counterparty (docs/provider.md#counterparties), in the provider's own field names.
import { z } from 'zod';
import { AccountIdentifierSchema, UidSchema, text } from '../agreement/mandate.schema.js';
import { PayerSchema } from '../agreement/payer.schema.js';

const ThirdParty = z
  .strictObject({
    method: z.literal('third_party_provider'),
    provider_name: text(140),
    reference: text(140),
    verified_at: z.iso
      .datetime({ offset: true, error: 'expected an RFC 3339 instant with its zone' })
      .meta({ description: 'When it was verified; in the past.', example: '2026-10-03T02:00:00Z' }),
  })
  .meta({
    id: 'ThirdPartyVerification',
    description: 'Someone else has verified it: who, and under which reference.',
  });

const AccountVerification = z
  .discriminatedUnion('method', [
    ThirdParty,
    z.strictObject({ method: z.literal('account_validation') }).meta({
      description:
        'The bank is asked whether the account is in the name `party_name` (Confirmation of Payee).',
    }),
    z.strictObject({ method: z.literal('alias_resolution') }).meta({
      description: 'The PayID is looked up. That is done with each PayID, whatever stands here.',
    }),
  ])
  .meta({ id: 'AccountVerification' });

const account = {
  account_identifier: AccountIdentifierSchema,
  party_name: text(140).optional().meta({
    description:
      'Whose account it is; needed for `account_validation`. The provider keeps no such name of an account.',
  }),
  verification: AccountVerification.optional(),
};

/** The provider lets a counterparty have more; each is a verification of its own. */
const MOST_ACCOUNTS = 20;

const Identity = z
  .strictObject({ legal_name: text(140), verification: ThirdParty })
  .meta({ id: 'CounterpartyIdentity' });

export const CreateCounterparty = z
  .strictObject({
    uid: UidSchema.optional().meta({
      description: 'Left out, it is derived from the connection and the Idempotency-Key.',
    }),
    connection: UidSchema.optional().meta({
      description: 'The connection it is on; may be left out where there is only one.',
    }),
    client_id: text(64).optional().meta({
      description:
        'The provider’s id of the client whose agreements it is for; left out, the primary client. Of one of high risk (HIGH_RISK_MCC) an identity and a verification of each account are needed.',
    }),
    identity: Identity.optional(),
    payment_accounts: z
      .array(z.strictObject(account).meta({ id: 'NewPaymentAccount' }))
      .min(1)
      .max(MOST_ACCOUNTS),
    payer: PayerSchema.optional(),
  })
  .meta({ id: 'CreateCounterparty' });

/** What a caller says of one account. */
export type AccountRequest = z.output<typeof CreateCounterparty>['payment_accounts'][number];

/** One account, with its uid at the provider, which is of our making. */
export interface AccountOrder extends AccountRequest {
  uid: string;
}

/** What a counterparty is asked to be. */
export interface CounterpartyOrder extends Pick<
  z.output<typeof CreateCounterparty>,
  'client_id' | 'identity'
> {
  payment_accounts: AccountOrder[];
}

const onAccount = {
  payment_account_uid: UidSchema.meta({ description: 'Which of its accounts.', example: '5f0c…' }),
  reason: text(256).meta({ description: 'Why; kept with the counterparty.' }),
};

export const CorrectCounterparty = z
  .strictObject({
    payment_account_uid: onAccount.payment_account_uid.optional(),
    reason: onAccount.reason,
    identity: Identity.optional(),
    account_identifier: AccountIdentifierSchema.optional(),
    party_name: account.party_name,
    verification: AccountVerification.optional().meta({
      description: 'Another way to verify it; a verification that was asked for cannot be taken away.',
    }),
    payer: PayerSchema.optional(),
  })
  .refine(
    ({ identity, account_identifier, party_name, verification }) =>
      [identity, account_identifier, party_name, verification].some((one) => one !== undefined),
    'expected an identity, an account_identifier, a party_name or a verification',
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
