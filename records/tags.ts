// Search tags: keyed hashes of a resource's uid, the scheme's id of an agreement, metadata, reference and payer's account. A caller who knows a value finds the rows that have it; the database does
// not reveal the value. Uids, references and accounts are hashed in their normal form, so it does not matter how they are written.
import { createHmac } from 'node:crypto';
import { normalAccount, normalText } from '../domain/float/normal-form.js';
import { derive, type Keyring } from '../sealing/keyring.js';
import { searchTagContext } from '../sealing/contexts.js';
import { valueAt } from './columns.js';
import { tableOf } from './tables.js';
import type { ResourceName } from '../domain/resources.js';

/** A value that rows can be searched for. */
export type SearchTerm =
  { uid: string } | { reference: string } | { payerAccount: string } | { metadata: string; value: string };

/** 96 bits: two values of one table practically never share a tag. */
const TAG_CHARACTERS = 16;

/** The tags of a row, with the key that seals now. */
export function searchTagsOf(keyring: Keyring, resource: ResourceName, view: unknown): string[] {
  const [{ id }] = keyring;
  return [...new Set(termsIn(resource, view).map((term) => tagOf(keyring, id, resource, term)))];
}

/** All tags that a row with this value may have: one for each key of the ring, because its row may be older than the newest key. */
export const tagsToFind = (keyring: Keyring, resource: ResourceName, term: SearchTerm): string[] =>
  keyring.map(({ id }) => tagOf(keyring, id, resource, term));

/** The resources that a text may name by their uids. */
const NAMED: readonly ResourceName[] = ['payment', 'agreement'];

function termsIn(resource: ResourceName, view: unknown): SearchTerm[] {
  const terms = valueAt(view, ['mandate']) ?? valueAt(view, ['order']);
  const metadata = valueAt(terms, ['metadata']);
  const reference = valueAt(terms, ['reference']);
  const payerAccount = valueAt(view, ['mandate', 'debtor', 'account_identifier', 'value']);
  const uids = NAMED.includes(resource) ? [valueAt(view, ['uid']), valueAt(view, ['mmsAgreementId'])] : [];
  return [
    ...uids.flatMap((uid) => (typeof uid === 'string' ? [{ uid }] : [])),
    ...Object.entries(typeof metadata === 'object' ? { ...metadata } : {}).map(([name, value]) => ({
      metadata: name,
      value: String(value),
    })),
    ...(typeof reference === 'string' ? [{ reference }] : []),
    ...(typeof payerAccount === 'string' ? [{ payerAccount }] : []),
  ];
}

/** The name of its key, so that tags of several keys differ, and a hash. */
function tagOf(keyring: Keyring, keyId: string, resource: ResourceName, term: SearchTerm): string {
  const secret = derive(keyring, keyId, searchTagContext(tableOf(resource)));
  const hash = createHmac('sha256', secret)
    .update(JSON.stringify(partsOf(term)))
    .digest('base64url');
  return `${keyId}.${hash.slice(0, TAG_CHARACTERS)}`;
}

/** Three parts for metadata, so that no key of it equals one of our names. */
function partsOf(term: SearchTerm): string[] {
  if ('uid' in term) return ['uid', normalText(term.uid)];
  if ('reference' in term) return ['reference', normalText(term.reference)];
  return 'payerAccount' in term
    ? ['payer_account', normalAccount(term.payerAccount)]
    : [term.metadata, term.value, ''];
}
