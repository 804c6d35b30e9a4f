// What is read of a token answer (interface 4.1), and how much of it may be odd: an addition or a trimming that nobody
// understands must not cost a pair that is rotated already, whose old half is used up.
// In:  payments-api/oauth.ts, before and after oauth4webapi judges it.
import type { TokenEndpointResponse } from 'oauth4webapi';
import { isObject } from './answers/values.js';

/** Clear tokens: to be sealed by whoever asked, never logged, never an argument or a result of a workflow. */
export interface TokenAnswer {
  accessToken: string;
  refreshToken: string;
  /**
   * Whole seconds, 0 to a year. `expires_in` is no more than recommended (RFC 6749 5.1): where it is left out, or is no such
   * number, 7200 are assumed (interface 5.4). What lives shorter than that ends with a 401, which renews as well.
   */
  expiresInSeconds: number;
  /** Separated by spaces; empty when the provider does not say, or says it otherwise than as a text. */
  scope: string;
}

const DEFAULT_LIFETIME_SECONDS = 7200;
/** A year. Far beyond it there are no more dates to be had. */
const LONGEST_LIFETIME_SECONDS = 31_536_000;

const DECIMAL = /^\s*\d+(?:\.\d+)?\s*$/;

const anything = (value: unknown): unknown => value;
const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function lifetime(value: unknown): number | undefined {
  const seconds = typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value;
  const isOne = typeof seconds === 'number' && seconds >= 0 && seconds <= LONGEST_LIFETIME_SECONDS;
  return isOne ? Math.floor(seconds) : undefined;
}

/** The only type there is (interface 4.1). Whatever it may be called: calls show whether the token is good, and the pair is kept. */
const tokenType = (): string => 'bearer';

const READERS: Readonly<Record<string, (value: unknown) => unknown>> = {
  access_token: anything,
  token_type: tokenType,
  expires_in: lifetime,
  refresh_token: anything,
  scope: text,
  error: anything,
  error_description: anything,
};

/** What the library is to judge of an answer; nothing where it is no object. Anything else that came is left out. */
export function membersOf(answer: unknown): Record<string, unknown> | undefined {
  if (!isObject(answer)) return undefined;
  const read = Object.entries(READERS).map(([name, reader]) => [name, reader(answer[name])] as const);
  return Object.fromEntries(read.filter(([, value]) => value != null));
}

/** What the library has judged to be good; nothing where there is no refresh token to go on with. */
export function tokensIn(answer: TokenEndpointResponse): TokenAnswer | undefined {
  if (!answer.refresh_token) return undefined;
  return {
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token,
    expiresInSeconds: answer.expires_in ?? DEFAULT_LIFETIME_SECONDS,
    scope: answer.scope ?? '',
  };
}
