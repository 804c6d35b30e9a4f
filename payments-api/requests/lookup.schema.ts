// What we send to find out about accounts and PayIDs (docs/provider.md#checks).
import { z } from 'zod';
import { AccountIdentifier, text, uid, word } from './parts.schema.js';

/** `remote_ip` is the end user's own address: the provider counts look-ups by it. */
export const AliasResolutionRequest = z
  .strictObject({
    type: word,
    value: text(256),
    requester: z.strictObject({ id: uid, remote_ip: z.union([z.ipv4(), z.ipv6()]) }),
  })
  .refine(({ type, value }) => AccountIdentifier.safeParse({ type, value }).success, { path: ['value'] });
export type AliasResolutionRequest = z.output<typeof AliasResolutionRequest>;

export const AccountValidationRequest = z.strictObject({
  uid,
  account_identifier: AccountIdentifier,
  party_name: text(140),
  requester: z.strictObject({ id: uid }),
});
export type AccountValidationRequest = z.output<typeof AccountValidationRequest>;
