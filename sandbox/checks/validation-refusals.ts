// How an account validation is refused: its own codes, each with whether another attempt may help (facts 5).
import { TITLES } from '../http/error-codes.js';
import { Refusal } from '../http/refusal.js';

const LIMIT = {
  status: 422,
  detail: 'No more today; a new uid may be tried tomorrow',
  retryable: true,
} as const;

/** Documented: 404 for 02 alone, and `retryable` for the limits; that the others are not is our reading. */
const REFUSALS = {
  ZCOPR00: { status: 422, detail: 'The name could not be compared', retryable: false },
  ZCOPR01: { status: 422, detail: 'The branch code belongs to no institution', retryable: false },
  ZCOPR02: { status: 404, detail: 'There is no such account', retryable: false },
  ZCOPR04: LIMIT,
  ZCOPR05: LIMIT,
  ZCOPR06: LIMIT,
  ZCOPR07: LIMIT,
} as const;
export type ValidationCode = keyof typeof REFUSALS;

/** Only the 404 says beside its error which validation was meant. */
export function refuseValidation(code: ValidationCode, uid: string): Refusal {
  const { status, detail, retryable } = REFUSALS[code];
  const data = status === 404 ? { uid } : undefined;
  return new Refusal(status, [{ code, title: TITLES[code], detail, retryable }], {}, data);
}

const RETRY_AFTER_SECONDS = 30;

/** Too many calls at once. Documented without a body; the header is our reading. */
export function refuseForRate(): Refusal {
  return new Refusal(429, [], { 'Retry-After': String(RETRY_AFTER_SECONDS) });
}
