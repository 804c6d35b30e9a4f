// The bodies of requests about a connection: a merchant's consent for us to act.
import { z } from 'zod';
import { UidSchema, text } from '../agreement/mandate.schema.js';

/** The account as the provider shows it in GET /user. Compared as a hash. */
const ExpectedAccount = z
  .strictObject({
    nickname: text(256).meta({ description: 'As the provider shows it in `GET /user`.', example: 'Acme' }),
    abn: z
      .string()
      .regex(/^\d{11}$/, 'expected an ABN: 11 digits without spaces')
      .meta({ description: 'The ABN of the account: 11 digits.', example: '53004085616' }),
  })
  .meta({ id: 'ExpectedAccount' });

/** Where the browser goes after the consent. */
const returnUrl = z
  .url({ protocol: /^https?$/, error: 'expected an http or https URL' })
  .max(512)
  .optional()
  .meta({
    description:
      'Where the browser goes after the consent, with `connection` and `outcome` (`connected`, `unconfirmed`, `declined` or `failed`) in ' +
      'the query. One of `RETURN_URLS`; its query is free. Default: a page of ours.',
    example: 'https://app.example/connected?merchant=7',
  });

export const CreateConnection = z
  .strictObject({
    id: UidSchema.optional().meta({
      description:
        'Chosen by you, for example your own id of the merchant. Without it, the API derives one from the Idempotency-Key.',
      example: 'acme',
    }),
    expected_account: ExpectedAccount.optional().meta({
      description:
        'The account that the first consent must come from, exactly as the provider shows it. Another account is refused. Without it, an ' +
        'operator confirms the first account, unless `CONSENT_CONFIRMATION=off`. Once the connection exists, another value needs the scope operate.',
    }),
    return_url: returnUrl,
  })
  .meta({ id: 'CreateConnection' });
export type CreateConnection = z.output<typeof CreateConnection>;

export const ReauthoriseConnection = z
  .strictObject({
    accept_other_account: z
      .literal(true)
      .optional()
      .meta({
        description:
          'Lets another account consent in this round. The connection then belongs to that account. ' +
          'Requires an API key with the scope operate, and a reason.',
      }),
    reason: text(256).optional().meta({
      description: 'The reason; stored with the connection.',
      example: 'The merchant has moved to a new account.',
    }),
    return_url: returnUrl,
  })
  .refine(({ accept_other_account, reason }) => (accept_other_account === true) === (reason !== undefined), {
    path: ['reason'],
    message: 'expected a reason if and only if accept_other_account is true',
  })
  .meta({ id: 'ReauthoriseConnection' });

export const ConfirmConnection = z
  .strictObject({
    expected_account: ExpectedAccount.optional().meta({
      description: 'The merchant’s account as you know it. Refused if the consent came from another one.',
    }),
    account: z.string().min(1).max(64).optional().meta({
      description:
        'Instead: `account_check.account`, after the merchant confirmed the consent to you in another way.',
    }),
    reason: text(256).meta({
      description: 'How you know that it is the merchant’s account; stored with the connection.',
      example: 'Called back on the number in the contract.',
    }),
  })
  .refine(({ expected_account, account }) => (expected_account === undefined) !== (account === undefined), {
    path: ['expected_account'],
    message: 'expected either expected_account or account',
  })
  .meta({ id: 'ConfirmConnection' });

export const RevokeConnection = z
  .strictObject({
    reason: text(256).meta({
      description: 'The reason; shown with the connection until the merchant consents again.',
      example: 'The merchant has left us.',
    }),
  })
  .meta({ id: 'RevokeConnection' });
