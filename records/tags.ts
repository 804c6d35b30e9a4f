// Search tags: keyed hashes of a resource's metadata and reference. A caller who knows a value finds the rows that have it; the database does not
// reveal the value.
import { createHmac } from 'node:crypto';
import { derive } from '../sealing/keyring.js';
import { searchTagContext } from '../sealing/contexts.js';
import { valueAt } from './columns.js';
import { ROW_TABLES } from './tables.js';
import type { RecordedResource } from '../domain/records/batch.js';
import type { Keyring } from '../sealing/keyring.js';

/** A value that rows can be searched for. */
export type SearchTerm = { reference: string } | { metadata: string; value: string };

/** 96 bits: two values of one table practically never share a tag. */
const TAG_CHARACTERS = 16;

/** The tags of a row, with the key that seals now. */
export function searchTagsOf(keyring: Keyring, resource: RecordedResource, view: unknown): string[] {
  const [{ id }] = keyring;
  return [...new Set(termsIn(view).map((term) => tagOf(keyring, id, resource, term)))];
}

/** All tags that a row with this value may have: one for each key of the ring, because its row may be older than the newest key. */
export const tagsToFind = (keyring: Keyring, resource: RecordedResource, term: SearchTerm): string[] =>
  keyring.map(({ id }) => tagOf(keyring, id, resource, term));

function termsIn(view: unknown): SearchTerm[] {
  const terms = valueAt(view, ['mandate']) ?? valueAt(view, ['order']);
  const metadata = valueAt(terms, ['metadata']);
  const reference = valueAt(terms, ['reference']);
  return [
    ...Object.entries(typeof metadata === 'object' ? { ...metadata } : {}).map(([name, value]) => ({
      metadata: name,
      value: String(value),
    })),
    ...(typeof reference === 'string' ? [{ reference }] : []),
  ];
}

/** The name of its key, so that tags of several keys differ, and a hash. */
function tagOf(keyring: Keyring, keyId: string, resource: RecordedResource, term: SearchTerm): string {
  const secret = derive(keyring, keyId, searchTagContext(ROW_TABLES[resource]));
  const text = JSON.stringify(
    'reference' in term ? ['reference', term.reference] : [term.metadata, term.value, ''],
  );
  const hash = createHmac('sha256', secret).update(text).digest('base64url');
  return `${keyId}.${hash.slice(0, TAG_CHARACTERS)}`;
}
