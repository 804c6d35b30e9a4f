// Removes personal data from a stored view or entry. Only fields of this list keep their text, so a field that the provider adds later is erased too. Pure.

export const ERASED = '[erased]';

/** Ids, states, codes and principals. */
const KEPT =
  /^(?:id|ids|uid|uids|\w+_uids?|\w+Uids?|\w+_ids?|\w+Id|\w+Ids|state|status|from|code|kind|type|stage|what|source|outcome|step|part|priority|purpose|frequency|causedBy|stateCausedBy|resourceType|actor|by|requestedBy|rule)$/;
const A_TIME = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2})?)?$/;
const OF_A_PERSON = /birth/i;
/** Numbers that name an account, a person or a business. */
const NAMING_NUMBER = /account|bban|bsb|phone|number|abn|acn/i;

/** The same structure with amounts, times, ids, states and codes; every other text is replaced. */
export const withoutPersonalData = (value: unknown): unknown => erased('', value);

function erased(name: string, value: unknown): unknown {
  if (name === 'metadata') return {};
  if (Array.isArray(value)) return value.map((item) => erased(name, item));
  if (typeof value === 'string') return keepsText(name, value) ? value : ERASED;
  if (typeof value === 'number') return NAMING_NUMBER.test(name) ? null : value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, erased(field, inner)]));
}

const keepsText = (name: string, text: string): boolean =>
  !OF_A_PERSON.test(name) && (KEPT.test(name) || A_TIME.test(text));
