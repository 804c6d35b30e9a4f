// Reads the entries of API_KEYS and API_KEYS_FILE. Pure.
import { createHash } from 'node:crypto';
import { secretOf } from '../../sealing/secret.js';
import { SCOPES, type ApiKey, type Scope } from './api-keys.js';

const HASH_OF_NOTHING = createHash('sha256').digest('hex');

/**
 * Reads entries `id:principal:scope+scope:sha256hex`, optionally with `;connections=a+b` and `;until=2027-01-31T00:00:00Z`.
 * @throws Error that states what was expected, never a hash.
 */
export function parseApiKeys(entries: readonly string[]): ApiKey[] {
  const keys = entries.map((entry) => parseApiKey(entry.trim()));
  assertDistinct(keys);
  return keys;
}

/** @throws Error */
export function assertDistinct(keys: readonly ApiKey[]): void {
  const hashes = keys.map(({ sha256 }) => sha256.reveal().toString('hex'));
  if (hashes.includes(HASH_OF_NOTHING))
    throw new Error(
      'expected the SHA-256 of a key; received that of an empty text, which any caller could send',
    );
  if (new Set(hashes).size !== keys.length)
    throw new Error('expected another key in each entry; two have the same SHA-256');
  if (new Set(keys.map(({ id }) => id)).size !== keys.length)
    throw new Error('expected a unique id for each key; several keys may share a principal');
}

function parseApiKey(entry: string): ApiKey {
  const [main = '', ...limits] = entry.split(';');
  const [, id, principal, words, sha256] =
    /^([\w-]{1,32}):([\w-]{1,32}):([a-z+]+):([0-9a-f]{64})$/i.exec(main) ?? [];
  const scopes = (words ?? '').split('+').filter(isScope);
  if (!id || !principal || !sha256 || scopes.length !== words?.split('+').length) {
    throw new Error(
      `expected id:principal:scope+scope:sha256hex: id and principal of 1 to 32 of A-Z, a-z, 0-9, _ and -, scopes of ${SCOPES.join(', ')}`,
    );
  }
  const limited: Pick<ApiKey, 'connections' | 'until'> = {};
  for (const limit of limits) {
    const parsed = parseLimit(id, limit.trim());
    if (Object.keys(parsed).some((name) => name in limited))
      throw new Error(
        `expected each limit once after the entry of the key ${id}; found one twice. Join connections with +`,
      );
    Object.assign(limited, parsed);
  }
  return {
    id,
    principal,
    scopes,
    sha256: secretOf(Buffer.from(sha256, 'hex')),
    ...limited,
  };
}

function parseLimit(id: string, limit: string): Pick<ApiKey, 'connections' | 'until'> {
  const [, ids] = /^connections=([\w~.-]{1,64}(?:\+[\w~.-]{1,64})*)$/.exec(limit) ?? [];
  if (ids !== undefined) return { connections: ids.split('+') };
  const [, text = ''] = /^until=(\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?Z)?)$/.exec(limit) ?? [];
  const until = Date.parse(text);
  if (Number.isFinite(until)) return { until };
  throw new Error(
    `expected ;connections=id+id or ;until=2027-01-31T00:00:00Z after the entry of the key ${id}; found something else`,
  );
}

const isScope = (word: string): word is Scope => SCOPES.some((scope) => scope === word);
