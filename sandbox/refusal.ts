// The provider's refusals, in its own shape of errors. The codes are its codes; their names stand here once.
import type { z } from 'zod';

const TITLES = {
  ZPUNP00: 'Schema violation',
  ZPUNP01: 'Debtor institution does not support PayTo',
  ZPUNP02: 'Creditor account cannot receive real-time funds',
  ZPUNP03: 'Creditor account number is zeroes',
  ZPUNP05: 'Creditor branch unknown',
  ZPPGN00: 'Invalid paging',
  ZPAGR00: 'Duplicate uid',
  ZPAGR03: 'Resolution deadline past',
  ZPAGR04: 'Validity start in the past',
  ZPAGR06: 'Validity start after end',
  ZPAGR07: 'Validity start after first payment',
  ZPAGR08: 'Validity end too early',
  ZPAGR09: 'First payment date past',
  ZPAGR10: 'Last payment date past',
  ZPAGR11: 'Payment dates reversed',
  ZPAGR12: 'Debtor account number is zeroes',
  ZPAGR14: 'Debtor branch unknown',
  ZPAGR17: 'Resolution deadline missing',
  ZPAGR18: 'Initiator identifier',
  ZPPAY00: 'Duplicate uid',
  ZPPAY03: 'Agreement not active',
  ZPPAY04: 'Creditor name differs',
  ZPPAY05: 'Creditor ultimate name differs',
  ZPPAY06: 'Creditor account differs',
  ZPPAY07: 'After validity',
  ZPPAY08: 'Before validity',
  ZPPAY09: 'Last payment flag missing',
  ZPPAY10: 'Last payment flag forbidden',
  ZPPAY11: 'Creditor needed',
  ZPPAY12: 'Over maximum amount',
  ZPPAY13: 'After last payment date',
  ZPPAY15: 'Not the fixed amount',
  ZPPAY22: 'Agreement unknown',
  ZPPAY25: 'Custom debtor not allowed',
} as const;
export type ErrorCode = keyof typeof TITLES;

export interface ErrorItem {
  code?: ErrorCode;
  title: string;
  detail: string;
  meta?: { resource_uid: string };
}

type RefusalStatus = 400 | 401 | 403 | 404 | 409 | 413 | 422;

/** Thrown wherever a call is refused; sent by the one exit in `responses.ts`. Without errors the body is empty. */
export class Refusal extends Error {
  constructor(
    readonly status: RefusalStatus,
    readonly errors: ErrorItem[],
    readonly headers: Record<string, string> = {},
  ) {
    super(errors.map(({ title, detail }) => `${title}: ${detail}`).join('; '));
  }
}

export function refuse(status: RefusalStatus, title: string, detail: string): Refusal {
  return new Refusal(status, [{ title, detail }]);
}

/** A business or schema rule is broken: 422 with its code. */
export function refuseByCode(code: ErrorCode, detail: string, resourceUid?: string): Refusal {
  const item: ErrorItem = { code, title: TITLES[code], detail };
  return new Refusal(422, [
    resourceUid === undefined ? item : { ...item, meta: { resource_uid: resourceUid } },
  ]);
}

/** An unknown field is 400 and named; anything else about the fields is 422. */
export function refusalFrom(error: z.ZodError): Refusal {
  const unknown = error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key].join('.')) : [],
  );
  if (unknown.length > 0) {
    return refuse(400, 'Validation Failed', `Unknown field: ${unknown.join(', ')}`);
  }
  return new Refusal(
    422,
    error.issues.map(({ path, message }) => ({
      code: 'ZPUNP00',
      title: TITLES.ZPUNP00,
      detail: `${path.join('.') || 'body'}: ${message}`,
    })),
  );
}
