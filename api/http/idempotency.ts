// Idempotency: derives uids from keys, records the use of keys, and detects conflicting repeats.
import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { v5 as uuidV5 } from 'uuid';
import type { z } from 'zod';
import type { CounterpartyOrder, CreateCounterparty } from '../../domain/counterparty/request.schema.js';
import { canonical, type KeyUse } from '../../domain/commands/key-use.js';
import type { Env } from './env.js';
import { ApiError } from './problems/errors.js';

/** Never change these values: a repeat with an old key would get a new uid. */
const NAMESPACES = {
  connection: '6f1d3a52-0c0e-4a87-9b64-0a4b1f7d5e21',
  payment: 'c2b7e0f4-5a3d-4f0b-8f53-7d9a2c61e8b3',
  refund: '1e9d0c35-7b52-4d6e-a0f8-3c64b29e5d17',
  client: '9c4e7b1a-2d58-4f36-8e0b-5a7d13c6f942',
  onboarding: '3d8a5f17-6c90-4b2e-9e41-c07b64f2a835',
  counterparty: '4f6a0d83-9be1-4c57-a2d4-71c85e3b0f9a',
  batch: '4d8f2c19-6ab3-4e71-95d0-3b7e1f8a2c56',
} as const;
const ACCOUNTS = 'd81c35e7-60fa-4b2d-9c3e-2f7ab9406e15';
const PLANS = '0b9d6c1e-3f7a-4d52-9a1c-5e8f2b7c4d60';

const NAMED_BY_ID: ReadonlySet<string> = new Set(['connection', 'onboarding', 'batch']);

/**
 * Derives the uid or id of a resource that the body does not name (docs/architecture.md#payments-never-twice): a uuid v5 of
 * the parent, the principal and the key. The id of the API key is left out, so that a caller may rotate it between two repeats.
 * @param of the parent: the agreement uid for a payment, the payment uid for a refund, the path for a batch,
 *   nothing for a connection, otherwise the connection id.
 * @throws ApiError `idempotency_key_required`
 */
export function uidFrom(
  resource: keyof typeof NAMESPACES,
  { principal, key, of = '' }: { principal: string; key: string | undefined; of?: string },
): string {
  if (key !== undefined) return uuidV5(`${principal} ${key}`, uuidV5(of, NAMESPACES[resource]));
  const field = NAMED_BY_ID.has(resource) ? 'id' : 'uid';
  throw keyRequired(
    `Send an Idempotency-Key header, or ${field === 'id' ? 'an' : 'a'} ${field} in the body.`,
    `required unless the body contains ${field === 'id' ? 'an' : 'a'} ${field}`,
  );
}

/** Derives the uid of a part of an onboarding that the body does not name. @param key the key of a correction. */
export const onboardedUid = (
  part: string,
  { principal, id, key = '' }: { principal: string; id: string; key?: string | undefined },
): string => uuidV5(`${part} ${principal} ${key}`, uuidV5(id, NAMESPACES.onboarding));

/**
 * Adds to each account its uid at the provider, derived from the connection, the counterparty's uid and the account's index.
 * So if the provider refuses a duplicate uid, the existing account belongs to this counterparty.
 */
export const withAccountUids = (
  { client_id, identity, payment_accounts }: Omit<z.output<typeof CreateCounterparty>, 'uid' | 'connection'>,
  { connectionId, uid }: { connectionId: string; uid: string },
): CounterpartyOrder => ({
  ...(client_id !== undefined && { client_id }),
  ...(identity !== undefined && { identity }),
  payment_accounts: payment_accounts.map((account, index) => ({
    ...account,
    uid: uuidV5(`${uid}/${index}`, uuidV5(connectionId, ACCOUNTS)),
  })),
});

/** The base of the uids of planned payments. Base plus date allows one payment per agreement and day, across all plans. */
export const planUidBase = (agreementUid: string): string => uuidV5(agreementUid, PLANS);

/** Scopes a key to its principal, method and path. */
export const scopedKey = (c: Context<Env>, key: string): string =>
  digestOf([c.get('principal'), c.req.method, c.req.path, key]);

/**
 * The use of a key, as workflows store it. Undefined if the request has no key, or no uid: a uid derived from the key already binds the
 * key.
 */
export const keyUse = (
  c: Context<Env>,
  key: string | undefined,
  { uid, body }: { uid: string | undefined; body: object },
): KeyUse | undefined =>
  key === undefined || uid === undefined ? undefined : { key: scopedKey(c, key), uid, body: digestOf(body) };

/** A hash that is equal for equal values, whatever the order of their fields. */
export const digestOf = (value: unknown): string =>
  createHash('sha256').update(canonical(value)).digest('hex').slice(0, 32);

export const keyConflict = (cause?: unknown): ApiError =>
  new ApiError(
    'idempotency_conflict',
    'This Idempotency-Key was used for a different request. Use a new key.',
    {
      errors: [{ header: 'Idempotency-Key', detail: 'expected the uid and body of the first request' }],
      cause,
    },
  );

/** The error for a missing Idempotency-Key header. */
export const keyMissing = (): ApiError =>
  keyRequired(
    'Send an Idempotency-Key header with a value of your choice.',
    'required, so that a repeat with the same key is the same request',
  );

const keyRequired = (sentence: string, detail: string): ApiError =>
  new ApiError('idempotency_key_required', sentence, { errors: [{ header: 'Idempotency-Key', detail }] });
