// Bodies of checks of accounts and PayIDs (docs/provider.md#checks).
import { z } from 'zod';
import { AccountIdentifier, open, text, uid, word } from './parts.schema.js';

/** `remote_ip` is the end user's own address: the provider counts look-ups by it. */
export const AliasResolutionRequest = z
  .strictObject({
    type: word,
    value: text(256),
    requester: z.strictObject({ id: uid, remote_ip: z.union([z.ipv4(), z.ipv6()]) }),
  })
  .refine(({ type, value }) => AccountIdentifier.safeParse({ type, value }).success, { path: ['value'] });

/** By account number alone; the hyphen after the branch code may be left out, and the name is any text. */
export const AccountValidationRequest = z.strictObject({
  uid,
  account_identifier: z.strictObject({
    type: z.string().regex(/^bban$/, 'expected bban'),
    value: z
      .string()
      .regex(/^\d{6}-?[ -~]{1,28}$/, 'expected a branch code of 6 digits and an account number'),
  }),
  party_name: open.max(1000),
  requester: z.strictObject({ id: uid }),
});
