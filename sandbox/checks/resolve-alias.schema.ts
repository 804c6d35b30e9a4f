// The body of POST /payto/alias_resolution (facts 15, 16).
import { z } from 'zod';
import { RequestAccountIdentifier, Uid } from '../http/wire.schema.js';

export const AliasSimulation = z.enum(['alias_found', 'alias_not_found', 'service_unavailable']);
export type AliasSimulation = z.output<typeof AliasSimulation>;

const AliasType = z.enum(['alias_phone', 'alias_email', 'alias_abn', 'alias_organisation_identifier']);

export const ResolveAlias = z
  .strictObject({
    type: AliasType,
    value: z.string(),
    /** The end user who asks, and the address they ask from. */
    requester: z.strictObject({ id: Uid, remote_ip: z.union([z.ipv4(), z.ipv6()], 'must be an IP address') }),
    sandbox: z.strictObject({ simulate: AliasSimulation.optional() }).optional(),
  })
  .refine(({ type, value }) => RequestAccountIdentifier.safeParse({ type, value }).success, {
    path: ['value'],
    error: 'does not fit its type',
  });
export type ResolveAlias = z.output<typeof ResolveAlias>;
