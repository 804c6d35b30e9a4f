// How a repeat finds what the first call made: by the uid that a caller's key stands for, by what the key was used for, and by
// comparing what was asked.
import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { v5 as uuidV5 } from 'uuid';
import type { z } from 'zod';
import type { CounterpartyOrder, CreateCounterparty } from '../../domain/counterparty/request.schema.js';
import { canonical } from '../../domain/commands/key-use.js';
import type { KeyUse } from '../../domain/commands/key-use.js';
import { isOfAnother } from '../../domain/commands/repeat.js';
import type { Env } from './env.js';
import { ApiError } from './problems/errors.js';

/** Fixed for ever: another value here would give repeats of old keys new uids. */
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
 * The uid, or the id, of a resource that the body does not name (docs/architecture.md#payments-never-twice). It is a uuid v5 of what the
 * resource belongs to, the caller's principal and the key. The id of the API key is no part of it: a caller may replace its API key
 * between two repeats.
 * @param of the uid of the agreement of a payment, of the payment of a refund, or the id of the connection.
 * @throws ApiError `idempotency_key_required`
 */
export function uidFrom(
  resource: keyof typeof NAMESPACES,
  { principal, key, of = '' }: { principal: string; key: string | undefined; of?: string },
): string {
  if (key !== undefined) return uuidV5(`${principal} ${key}`, uuidV5(of, NAMESPACES[resource]));
  const field = NAMED_BY_ID.has(resource) ? 'id' : 'uid';
  throw keyRequired(
    `Expected an Idempotency-Key header, since the body names no ${field}.`,
    `expected, unless the body has ${field === 'id' ? 'an' : 'a'} ${field}`,
  );
}

/** The uid of a part of an onboarding that the body does not name. @param key that a correction came with. */
export const onboardedUid = (
  part: string,
  { principal, id, key = '' }: { principal: string; id: string; key?: string | undefined },
): string => uuidV5(`${part} ${principal} ${key}`, uuidV5(id, NAMESPACES.onboarding));

/**
 * Each account with its uid at the provider, made of the connection, of the counterparty's own uid and of its place: a caller that is
 * refused as such a uid is taken knows that it was taken for this very counterparty.
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

/** With its date it is the uid of a planned payment: of one agreement and day there is one, whichever plan names it. */
export const planUidBase = (agreementUid: string): string => uuidV5(agreementUid, PLANS);

/** A key is the caller's within its principal, method and path: the same words elsewhere are another key. */
export const scopedKey = (c: Context<Env>, key: string): string =>
  digestOf([c.get('principal'), c.req.method, c.req.path, key]);

/** What is remembered of a key, where one came with the request. */
export const keyUse = (
  c: Context<Env>,
  key: string | undefined,
  { uid, body }: { uid: string; body: object },
): KeyUse | undefined =>
  key === undefined ? undefined : { key: scopedKey(c, key), uid, body: digestOf(body) };

/** One id for all that says the same. */
export const digestOf = (value: unknown): string =>
  createHash('sha256').update(canonical(value)).digest('hex').slice(0, 32);

/**
 * What was requested, now or before, where this caller requested it. A resource that was found at the provider is no caller's.
 * @param pointer to where the body names it.
 * @throws ApiError `idempotency_conflict`
 */
export function requestedByCaller<Found extends { requestedBy?: string | undefined }>(
  found: Found,
  principal: string,
  pointer = '/uid',
): Found {
  if (!isOfAnother(found, principal)) return found;
  const detail = 'expected one that no other caller has used';
  throw new ApiError(
    'idempotency_conflict',
    `What has this ${pointer.slice(1)} was requested by another caller.`,
    {
      errors: [{ pointer, detail }],
    },
  );
}

export const keyConflict = (cause?: unknown): ApiError =>
  new ApiError('idempotency_conflict', 'This Idempotency-Key was used before, for something else.', {
    errors: [{ header: 'Idempotency-Key', detail: 'expected the same uid and body as the first time' }],
    cause,
  });

/** Where a route's contract needs the header. */
export const keyMissing = (): ApiError =>
  keyRequired(
    'Expected an Idempotency-Key header of your choice.',
    'expected: the same key is the same request, however often it comes',
  );

const keyRequired = (sentence: string, detail: string): ApiError =>
  new ApiError('idempotency_key_required', sentence, { errors: [{ header: 'Idempotency-Key', detail }] });
