// Finds the personal values in JSON: account numbers, PayIDs, and names of people. They are masked in every text that repeats them. Pure.

const NAMES: ReadonlySet<string> = new Set(['party_name', 'ultimate_party_name']);
const MASKED_FIELDS: ReadonlySet<string> = new Set(['primary_bank_account_bban']);
/** A shorter value would match parts of ordinary text. */
const MIN_LENGTH = 4;

/** Collects the personal values. The creditor's names are excluded: it is the business that is paid, and texts need its name. */
export function personalValues(json: unknown, isCreditor = false): string[] {
  if (Array.isArray(json)) return json.flatMap((item) => personalValues(item, isCreditor));
  if (typeof json !== 'object' || json === null) return [];
  return Object.entries(json).flatMap(([field, value]: [string, unknown]) => {
    if (field === 'metadata') return [];
    if (field === 'account_identifier' && typeof value === 'object' && value !== null)
      return valueIn(Reflect.get(value, 'value'));
    if (MASKED_FIELDS.has(field) || (NAMES.has(field) && !isCreditor)) return valueIn(value);
    return personalValues(value, isCreditor || field === 'creditor');
  });
}

const valueIn = (value: unknown): string[] =>
  typeof value === 'string' && value.length >= MIN_LENGTH ? [value] : [];
