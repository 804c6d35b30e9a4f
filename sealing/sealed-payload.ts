// Seals a whole Temporal payload, data and metadata. Only the name of the key remains visible. The sealed bytes are the
// payload's own protobuf, as in Temporal's encryption examples.
import protobuf from 'protobufjs/light.js';
import type { Payload } from '@temporalio/common';
import { payloadContext } from './contexts.js';
import { SealError, openBytes, sealBytes, type Keyring } from './keyring.js';

export type { Payload };

const ENCODING = 'binary/encrypted';
const VERSION = '1';
const KEY_ID = /^[A-Za-z0-9_-]{1,32}$/;

/** temporal.api.common.v1.Payload. */
const Wire = new protobuf.Type('Payload')
  .add(new protobuf.MapField('metadata', 1, 'string', 'bytes'))
  .add(new protobuf.Field('data', 2, 'bytes'));

/** Within the seal: the id of the workflow that the payload belongs to, for the audit log of reads. */
const WORKFLOW = 'workflow-id';

/** The workflow that an opened payload was sealed for. Undefined for a schedule's payload. */
export const workflowOf = (opened: Payload): string | undefined => textOf(opened, WORKFLOW) || undefined;

/** Seals with the first key, for this namespace only. @param workflowId the workflow that it belongs to, if known. */
export function sealPayload(
  keyring: Keyring,
  { metadata, data }: Payload,
  namespace: string,
  workflowId?: string,
): Payload {
  const named = workflowId === undefined ? {} : { [WORKFLOW]: Buffer.from(workflowId) };
  const bytes = Wire.encode({ metadata: { ...metadata, ...named }, data: data ?? [] }).finish();
  const { keyId, sealed } = sealBytes(keyring, bytes, payloadContext(namespace));
  return {
    metadata: {
      encoding: Buffer.from(ENCODING),
      'encryption-key-id': Buffer.from(keyId),
      'encryption-version': Buffer.from(VERSION),
    },
    data: sealed,
  };
}

/** True if a payload is marked as sealed. Only opening it proves that it is. */
export const isSealed = (payload: Payload): boolean => textOf(payload, 'encoding') === ENCODING;

/**
 * The only payload that Temporal's server creates itself and cannot seal: an activity was cancelled while no attempt was
 * running. It has no other content.
 */
const NOT_STARTED = '"ACTIVITY_ID_NOT_STARTED"';
const isTheServers = (payload: Payload): boolean =>
  textOf(payload, 'encoding') === 'json/plain' &&
  Buffer.from(payload.data ?? []).toString('utf8') === NOT_STARTED;

/**
 * Opens the result of `sealPayload` for this namespace. Its data is present even if empty, as on the wire.
 * @throws SealError, which never quotes the payload: it is in clear or malformed, its key is missing, a byte changed, or it
 * was sealed for another namespace.
 */
export function openPayload(keyring: Keyring, payload: Payload, namespace: string): Payload {
  if (isTheServers(payload)) return payload;
  if (!isSealed(payload)) throw inClear(namespace);
  const keyId = textOf(payload, 'encryption-key-id');
  if (!KEY_ID.test(keyId) || textOf(payload, 'encryption-version') !== VERSION) {
    throw new SealError(
      'malformed',
      `expected a payload with the name of its key, sealed in format ${VERSION}`,
    );
  }
  const sealed = payload.data ?? new Uint8Array();
  const bytes = openBytes(keyring, { keyId, sealed }, payloadContext(namespace));
  return Wire.toObject(Wire.decode(bytes), { defaults: true });
}

const textOf = ({ metadata }: Payload, name: string): string =>
  Buffer.from(metadata?.[name] ?? []).toString('utf8');

const inClear = (namespace: string): SealError =>
  new SealError(
    'clear_payload',
    `expected a payload sealed for namespace ${namespace}, found one in clear. A sender without ENCRYPTION_KEYS wrote it, ` +
      'or it is from before payloads were sealed. See docs/custody.md',
  );
