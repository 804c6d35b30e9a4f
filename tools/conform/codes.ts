// Compares the product's tables of codes with those in the files.
import { ERROR_TABLE } from '../../payments-api/error-table.js';
import { REASON_CODES } from '../../domain/provider/reason-codes.js';
import { at, itemsOf, members, textOf } from './json.js';
import type { ApiFile, Contract } from './contract.js';
import type { Mismatch } from './verdict.js';

interface Row {
  code: string;
  title: string;
  /** Undefined if the table does not state it. */
  retryable: boolean | undefined;
}

/** The fields of a reason's row that the provider also documents. */
interface ProductRow {
  means: string;
  title?: string | undefined;
  retryable?: boolean | undefined;
}

const REASONS = 'Reason codes';
const REFUSALS = 'Unprocessable Entity (422) Codes';
const CODE = /^[A-Z][A-Z0-9]{3,6}$|^MMS\.API\.\d{4}$/;
/** Schemas whose codes refuse a request. The codes of all others give the reason for an end. */
const REFUSING = /unprocessable|error|validation/i;

/** The number of codes of each kind in the files, and the differences from the product's tables. */
export function judgeCodes({ files }: Contract): {
  reasons: number;
  refusals: number;
  mismatches: Mismatch[];
} {
  const found = files.map((file) => ({ file, ...codesOf(file) }));
  const mismatches = found.flatMap(({ file, reasons, refusals }) => [
    ...reasons.flatMap((row) => reasonFaults(file.name, row)),
    ...refusals
      .filter((code) => !(code in ERROR_TABLE))
      .map((code) => unknownCode(file.name, 'refusal codes', code)),
  ]);
  const count = (kind: 'reasons' | 'refusals'): number =>
    new Set(found.flatMap((one) => one[kind].map((code) => (typeof code === 'string' ? code : code.code))))
      .size;
  return { reasons: count('reasons'), refusals: count('refusals'), mismatches };
}

function codesOf({ document }: ApiFile): { reasons: Row[]; refusals: string[] } {
  const listed = members(at(document, ['components', 'schemas'])).map(([name, schema]) => ({
    refuses: REFUSING.test(name),
    codes: enumerated(schema),
  }));
  const inEnums = (refuses: boolean): string[] =>
    listed.filter((one) => one.refuses === refuses).flatMap(({ codes }) => codes);
  const described = tableOf(document, REASONS);
  const bare = (described.length === 0 ? [] : inEnums(false)).map((code): Row => ({
    code,
    title: '',
    retryable: undefined,
  }));
  const refusals = [...tableOf(document, REFUSALS).map(({ code }) => code), ...inEnums(true)];
  return { reasons: [...described, ...bare], refusals: [...new Set(refusals)] };
}

/** The values of all nested `code` properties. */
function enumerated(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(enumerated);
  const own = itemsOf(at(schema, ['properties', 'code', 'enum'])).flatMap((code) => textOf(code) ?? []);
  return [...own, ...members(schema).flatMap(([, inner]) => enumerated(inner))];
}

/** The rows of the Markdown tables in a tag's description. A code may be in several of them. */
function tableOf(document: unknown, tag: string): Row[] {
  const about = itemsOf(at(document, ['tags'])).find((one) => at(one, ['name']) === tag);
  const lines = (textOf(at(about, ['description'])) ?? '').split('\n');
  let header: string[] = [];
  return lines.flatMap((line) => {
    const cells = line.trim().startsWith('|')
      ? line
          .trim()
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim())
      : [];
    const [code = '', title = ''] = cells;
    if (code === 'Code') header = cells;
    const said = cells[header.indexOf('Retryable')]?.toLowerCase();
    const retryable = said === 'true' || said === 'false' ? said === 'true' : undefined;
    return CODE.test(code) ? [{ code, title, retryable }] : [];
  });
}

function reasonFaults(file: string, { code, title, retryable }: Row): Mismatch[] {
  const ours: ProductRow | undefined = REASON_CODES.get(code);
  if (ours === undefined) return [unknownCode(file, 'reason codes', code)];
  const about = { file, operation: 'reason codes', where: `code ${code}` };
  const differs = title !== '' && ours.title !== title;
  const retries = retryable !== undefined && ours.retryable !== retryable;
  return [
    ...(differs ? [{ ...about, expected: `the title ${title}`, met: ours.title ?? 'no title' }] : []),
    ...(retries
      ? [{ ...about, expected: `retryable: ${retryable}`, met: `retryable: ${ours.retryable}` }]
      : []),
  ];
}

const unknownCode = (file: string, operation: string, code: string): Mismatch => ({
  ...{ file, operation, where: `code ${code}`, expected: 'a row in our table', met: 'nothing' },
});
