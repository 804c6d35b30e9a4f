// Grants, codes and tokens. Stored by hash, so that a saved store contains no secrets. Data only.
import { z } from 'zod';
import { tableOf } from './entities.schema.js';

export const Grant = z.object({
  id: z.string(),
  scopes: z.array(z.string()),
  /** The consenting user, by the value of the consent form. */
  consenter: z.string().default('biller'),
  /** The number of token pairs issued so far. */
  generation: z.int(),
  revoked: z.boolean(),
});
export type Grant = z.output<typeof Grant>;

/** Binds a code to the client that requested it. */
export const Challenge = z.object({ value: z.string(), method: z.enum(['plain', 'S256']) });
export type Challenge = z.output<typeof Challenge>;

/** Keyed by the hash of the code. */
const AuthorisationCode = z.object({
  redirect_uri: z.string(),
  scopes: z.array(z.string()),
  consenter: z.string().default('biller'),
  challenge: Challenge.nullable().default(null),
  expires_at: z.number(),
  used: z.boolean(),
});

export const Token = z.discriminatedUnion('kind', [
  /** Null means that it never expires. */
  z.object({ kind: z.literal('access'), grant: z.string(), expires_at: z.number().nullable() }),
  z.object({ kind: z.literal('refresh'), grant: z.string(), used: z.boolean() }),
]);
export type Token = z.output<typeof Token>;

export const OAUTH_TABLES = {
  grants: tableOf(Grant),
  codes: tableOf(AuthorisationCode),
  tokens: tableOf(Token),
};
