// The token endpoint's wire calls (docs/provider.md#authentication), each made once: who refreshes when is not decided here.
import * as oauth from 'oauth4webapi';
import { codeOfStatus, failureOf, malformed, safeCode } from './http/judge.js';
import { createTransport } from './http/transport.js';
import { exchange, withoutSecrets } from './http/exchange.js';
import { PaymentsApiError } from './errors.js';
import { isObject, readJson } from './answers/values.js';
import type { PaymentsApiErrorCode } from '../domain/provider/call-codes.js';
import type { Exchange } from './http/exchange.js';

/** Clear tokens: to be sealed by the caller, never logged, never an argument or a result of a workflow. */
export interface TokenAnswer {
  accessToken: string;
  refreshToken: string;
  /**
   * Whole seconds, 0 to a year. `expires_in` is no more than recommended (RFC 6749 5.1): where it is left out, or is no such
   * number, 7200 are assumed (docs/provider.md#authentication). What lives shorter than that ends with a 401, which renews as well.
   */
  expiresInSeconds: number;
  /** Separated by spaces; empty when the answer has none, or none that is a text. */
  scope: string;
}

/**
 * Both throw PaymentsApiError: `grant_refused`, `client_refused`, `rate_limited`, `unavailable`, `malformed`
 * (after the last two the code or the refresh token may be used up), and `rejected` with any other OAuth error code.
 */
export interface OAuth {
  /**
   * @param args.code from the redirect, whose `state` the caller has checked.
   * @param args.codeVerifier where the authorisation URL was made with one.
   */
  exchangeCode(args: {
    code: string;
    codeVerifier?: string | undefined;
    signal?: AbortSignal | undefined;
  }): Promise<TokenAnswer>;
  /** The old refresh token is used up by this, whether or not the answer arrives (docs/provider.md#authentication). */
  refresh(args: { refreshToken: string; signal?: AbortSignal | undefined }): Promise<TokenAnswer>;
}

export interface OAuthOptions {
  authUrl: string;
  clientId: string;
  clientSecret: string;
  redirectUri: string;
}

const CODE_BY_OAUTH_ERROR: ReadonlyMap<string, PaymentsApiErrorCode> = new Map([
  ['invalid_grant', 'grant_refused'],
  ['invalid_client', 'client_refused'],
  ['unauthorized_client', 'client_refused'],
  ['slow_down', 'rate_limited'],
  ['temporarily_unavailable', 'unavailable'],
  ['server_error', 'unavailable'],
]);

/**
 * To abort a renewal is to lose the pair that it may have brought (docs/provider.md#authentication), so it is given nearly all of the minute
 * that its activity has; a code has the usual 20 s, because a person waits for it.
 */
export const REFRESH_LIMIT_MS = 50_000;

/** What we send that is blanked out of a refusal that repeats it. */
const SECRETS = ['client_secret', 'code', 'code_verifier', 'refresh_token'];

/** @param options `authUrl` may be plain http only because a sandbox is; a live one is https. */
export function createOAuth({ authUrl, clientId, clientSecret, redirectUri }: OAuthOptions): OAuth {
  const server = { issuer: authUrl, token_endpoint: `${authUrl.replace(/\/+$/, '')}/oauth/token` };
  const client = { client_id: clientId };
  const secret = oauth.ClientSecretPost(clientSecret);
  const way = { insecure: new URL(authUrl).protocol === 'http:', transport: createTransport() };
  return {
    exchangeCode: ({ code, codeVerifier, signal }) =>
      answered('exchangeCode', async (operation) => {
        // The state has been checked where the redirect came in, so here there is none to expect.
        const callback = oauth.validateAuthResponse(
          server,
          client,
          new URLSearchParams({ code }),
          oauth.expectNoState,
        );
        const response = await oauth.authorizationCodeGrantRequest(
          server,
          client,
          secret,
          callback,
          redirectUri,
          codeVerifier ?? oauth.nopkce,
          requestOptions(operation, { ...way, signal }),
        );
        return oauth.processAuthorizationCodeResponse(server, client, response);
      }),
    refresh: ({ refreshToken, signal }) =>
      answered('refresh', async (operation) => {
        const options = requestOptions(operation, { ...way, signal, limitMs: REFRESH_LIMIT_MS });
        const response = await oauth.refreshTokenGrantRequest(server, client, secret, refreshToken, options);
        return oauth.processRefreshTokenResponse(server, client, response);
      }),
  };
}

/** How a request travels, and how long it may take. */
interface Way extends Pick<Exchange, 'transport' | 'signal' | 'limitMs'> {
  insecure: boolean;
}

function requestOptions(operation: string, { insecure, ...way }: Way): oauth.TokenEndpointRequestOptions {
  return {
    [oauth.allowInsecureRequests]: insecure,
    [oauth.customFetch]: (url, { method, headers, body }) =>
      fetchToken(
        { operation, url, request: { method, headers, body: body.toString() }, ...way },
        secretsIn(body),
      ),
  };
}

const secretsIn = (form: URLSearchParams): string[] => SECRETS.flatMap((name) => form.getAll(name));

/** Fetches under this room's limits, and hands the library only what it can judge: JSON of 200 or a plain refusal. */
async function fetchToken(requested: Exchange, secrets: readonly string[]): Promise<Response> {
  const { operation } = requested;
  const reply = withoutSecrets(await exchange(requested), secrets);
  const code = codeOfStatus(reply.status);
  if (code === 'rate_limited' || code === 'unavailable' || code === 'malformed') {
    throw failureOf(operation, reply, Date.now());
  }
  // Whatever it calls itself: a pair under a wrong content type is as rotated as any.
  const members = membersOf(readJson(reply.body)?.value);
  if (members === undefined)
    throw malformed(operation, 'a JSON object', `something else with ${reply.status}`, reply.status);
  return new Response(JSON.stringify(members), {
    status: code === undefined ? 200 : reply.status,
    // Nothing else: a WWW-Authenticate beside invalid_client would hide the error code from the library.
    headers: { 'content-type': 'application/json' },
  });
}

async function answered(
  operation: string,
  ask: (operation: string) => Promise<oauth.TokenEndpointResponse>,
): Promise<TokenAnswer> {
  const answer = await ask(operation).catch((error: unknown) => {
    throw refused(operation, error);
  });
  const tokens = tokensIn(answer);
  if (tokens === undefined) throw malformed(operation, 'a refresh_token in the token answer', 'none', 200);
  return tokens;
}

/** The library's errors carry the answer, tokens included, in their causes; only their names go on. */
function refused(operation: string, error: unknown): PaymentsApiError {
  if (error instanceof PaymentsApiError) return error;
  if (!(error instanceof oauth.ResponseBodyError)) {
    const what = error instanceof Error ? error.message : 'another answer';
    return malformed(operation, 'a token answer as OAuth has it', what);
  }
  const name = safeCode(error.error) ?? 'an unreadable error';
  return new PaymentsApiError(
    CODE_BY_OAUTH_ERROR.get(name) ?? 'rejected',
    `${operation}: expected tokens; met ${error.status} (${name})`,
    { status: error.status, problems: [{ code: name, detail: error.error_description }] },
  );
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

/** The only type there is (docs/provider.md#authentication). Whatever it may be called: calls show whether the token is good, and the pair is kept. */
const tokenType = (): string => 'bearer';

/** How each member is read: an addition or a change that we do not know must not cost a pair that is rotated already. */
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
function membersOf(answer: unknown): Record<string, unknown> | undefined {
  if (!isObject(answer)) return undefined;
  const read = Object.entries(READERS).map(([name, reader]) => [name, reader(answer[name])] as const);
  return Object.fromEntries(read.filter(([, value]) => value != null));
}

/** What the library has judged to be good; nothing where there is no refresh token to go on with. */
function tokensIn(answer: oauth.TokenEndpointResponse): TokenAnswer | undefined {
  if (!answer.refresh_token) return undefined;
  return {
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token,
    expiresInSeconds: answer.expires_in ?? DEFAULT_LIFETIME_SECONDS,
    scope: answer.scope ?? '',
  };
}
