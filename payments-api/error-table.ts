// The provider's codes in one table: what each means, whether the same call may help, what a person should do (facts 5).
// The rows stand by family in error-families-*.ts; a new code is one row there.
import { AGREEMENT_FAMILIES } from './error-families-agreements.js';
import { PAYMENT_FAMILIES } from './error-families-payments.js';
import { SERVICE_FAMILIES } from './error-families-services.js';
import type { ErrorRow } from './error-family.js';

export type { Again, ErrorRow, Meaning } from './error-family.js';

const FAMILIES = { ...SERVICE_FAMILIES, ...AGREEMENT_FAMILIES, ...PAYMENT_FAMILIES };

const ROWS = new Map(
  Object.entries(FAMILIES).flatMap(([letters, { codes }]) =>
    Object.entries(codes).map(([digits, row]) => [letters + digits, row] as const),
  ),
);
const OTHERWISE = new Map(Object.entries(FAMILIES).map(([letters, { otherwise }]) => [letters, otherwise]));

const CODE = /^([A-Z]+)\d+$/;

/**
 * The row of a code such as `ZPAGR00`: its own, else that of its family.
 * @returns nothing for a code of no family that we know.
 */
export function errorRow(code: string): ErrorRow | undefined {
  return ROWS.get(code) ?? OTHERWISE.get(CODE.exec(code)?.[1] ?? '');
}
