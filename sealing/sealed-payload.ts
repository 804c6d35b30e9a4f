// One payload of Temporal's, sealed whole: its data and all that its metadata says of it. What is left to see is the
// name of the key. The bytes within are the payload's own protobuf, as Temporal's examples of encryption have it.
import protobuf from 'protobufjs/light.js';
import type { Payload } from '@temporalio/common';
import { payloadContext } from './contexts.js';
import { SealError, openBytes, sealBytes } from './keyring.js';
import type { Keyring } from './keyring.js';

export type { Payload };

const ENCODING = 'binary/encrypted';
const VERSION = '1';
const KEY_ID = /^[A-Za-z0-9_-]{1,32}$/;

/** temporal.api.common.v1.Payload. */
const Wire = new protobuf.Type('Payload')
  .add(new protobuf.MapField('metadata', 1, 'string', 'bytes'))
  .add(new protobuf.Field('data', 2, 'bytes'));

/** Seals with the first key, for this namespace alone. */
export function sealPayload(keyring: Keyring, { metadata, data }: Payload, namespace: string): Payload {
  const bytes = Wire.encode({ metadata: metadata ?? {}, data: data ?? [] }).finish();
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

/** Whether a payload says of itself that it is sealed; only opening it proves it. */
export const isSealed = (payload: Payload): boolean => textOf(payload, 'encoding') === ENCODING;

/**
 * The one payload that Temporal's server makes itself, and cannot seal: an activity was cancelled while no attempt of it was
 * under way. It can say nothing else.
 */
const NOT_STARTED = '"ACTIVITY_ID_NOT_STARTED"';
const isTheServers = (payload: Payload): boolean =>
  textOf(payload, 'encoding') === 'json/plain' &&
  Buffer.from(payload.data ?? []).toString('utf8') === NOT_STARTED;

/**
 * Opens what `sealPayload` made for this namespace. Its data is there even where it is empty, as on the wire.
 * @throws SealError, whose message never quotes the payload: one in clear, of another form, of a key that is gone, or
 * with a byte changed or made for another namespace.
 */
export function openPayload(keyring: Keyring, payload: Payload, namespace: string): Payload {
  if (isTheServers(payload)) return payload;
  if (!isSealed(payload)) throw inClear(namespace);
  const keyId = textOf(payload, 'encryption-key-id');
  if (!KEY_ID.test(keyId) || textOf(payload, 'encryption-version') !== VERSION) {
    throw new SealError(
      'malformed',
      `expected a payload with the name of its key, sealed in form ${VERSION}`,
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
    `expected a payload sealed for namespace ${namespace}, met one in clear: it was sent by something without ENCRYPTION_KEYS, ` +
      'or before payloads were sealed; docs/custody.md says what to do',
  );
