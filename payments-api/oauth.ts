// Calls to the token endpoint (docs/provider.md#authentication), each made once. The caller decides when to refresh.
import * as oauth from 'oauth4webapi';
import { codeOfStatus, failureOf, malformed, safeCode } from './http/judge.js';
import { createTransport } from './http/transport.js';
import { exchange, withoutSecrets, type Exchange } from './http/exchange.js';
import { PaymentsApiError } from './errors.js';
import { isObject, readJson } from './answers/values.js';
import type { PaymentsApiErrorCode } from '../domain/provider/call-codes.js';

/** Tokens in clear text. The caller must seal them; never log them or pass them to or from a workflow. */
export interface TokenAnswer {
  accessToken: string;
  refreshToken: string;
  /**
   * Whole seconds, 0 to one year. `expires_in` is only recommended (RFC 6749 5.1). If it is absent or invalid we assume 7200
   * (docs/provider.md#authentication). A token that expires sooner causes a 401, which also triggers a refresh.
   */
  expiresInSeconds: number;
  /** The granted scopes, separated by spaces. Empty if the answer has none, or a value that is not a text. */
  scope: string;
}

/** The answer to a refresh. Without a refresh token, the one that was sent stays valid (RFC 6749, section 6). */
export interface RefreshAnswer extends Omit<TokenAnswer, 'refreshToken'> {
  refreshToken: string | undefined;
}

/**
 * Both throw PaymentsApiError: `grant_refused`, `client_refused`, `rate_limited`, `unavailable`, `malformed`, or `rejected`
 * for any other OAuth error code. After `unavailable` or `malformed` the code or the refresh token may be used up.
 */
export interface OAuth {
  /**
   * @param args.code from the redirect, after the caller checked its `state`.
   * @param args.codeVerifier set if the authorisation URL was built with one.
   */
  exchangeCode(args: {
    code: string;
    codeVerifier?: string | undefined;
    signal?: AbortSignal | undefined;
  }): Promise<TokenAnswer>;
  /** Uses up the old refresh token, even if the answer never arrives (docs/provider.md#authentication). */
  refresh(args: { refreshToken: string; signal?: AbortSignal | undefined }): Promise<RefreshAnswer>;
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
 * Aborting a refresh may lose the new token pair (docs/provider.md#authentication). A refresh therefore gets nearly all of the
 * minute that its activity has. A code exchange has the usual 20 s, because a person waits for it.
 */
export const REFRESH_LIMIT_MS = 50_000;

/** Request fields to mask in refusals that repeat them. */
const SECRETS = ['client_secret', 'code', 'code_verifier', 'refresh_token'];

/** @param options `authUrl` may be plain http only for a sandbox; the live one is https. */
export function createOAuth({ authUrl, clientId, clientSecret, redirectUri }: OAuthOptions): OAuth {
  const server = { issuer: authUrl, token_endpoint: `${authUrl.replace(/(?<!\/)\/+$/, '')}/oauth/token` };
  const client = { client_id: clientId };
  const secret = oauth.ClientSecretPost(clientSecret);
  const way = { insecure: new URL(authUrl).protocol === 'http:', transport: createTransport() };
  return {
    exchangeCode: async ({ code, codeVerifier, signal }) =>
      withRefresh(
        await answered('exchangeCode', async (operation) => {
          // The route of the redirect has already checked the state.
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
      ),
    refresh: ({ refreshToken, signal }) =>
      answered('refresh', async (operation) => {
        const options = requestOptions(operation, { ...way, signal, limitMs: REFRESH_LIMIT_MS });
        const response = await oauth.refreshTokenGrantRequest(server, client, secret, refreshToken, options);
        return oauth.processRefreshTokenResponse(server, client, response);
      }),
  };
}

/** The transport settings and the time limit of a request. */
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

/** Fetches within our limits. Passes to the library only answers that it can judge: JSON with 200, or a plain refusal. */
async function fetchToken(requested: Exchange, secrets: readonly string[]): Promise<Response> {
  const { operation } = requested;
  const reply = withoutSecrets(await exchange(requested), secrets);
  const code = codeOfStatus(reply.status);
  if (code === 'rate_limited' || code === 'unavailable' || code === 'malformed') {
    throw failureOf(operation, reply, Date.now());
  }
  // The content type does not matter: the old token pair is spent in any case.
  const members = membersOf(readJson(reply.body)?.value);
  if (members === undefined)
    throw malformed(operation, 'a JSON object', `something else with ${reply.status}`, reply.status);
  return new Response(JSON.stringify(members), {
    status: code === undefined ? 200 : reply.status,
    // No other headers: a WWW-Authenticate beside invalid_client would hide the error code from the library.
    headers: { 'content-type': 'application/json' },
  });
}

async function answered(
  operation: string,
  ask: (operation: string) => Promise<oauth.TokenEndpointResponse>,
): Promise<RefreshAnswer> {
  const answer = await ask(operation).catch((error: unknown) => {
    throw refused(operation, error);
  });
  return tokensIn(answer);
}

/** A new grant has no earlier refresh token, so we could not continue without one. */
function withRefresh({ refreshToken, ...tokens }: RefreshAnswer): TokenAnswer {
  if (refreshToken === undefined)
    throw malformed('exchangeCode', 'a refresh_token in the token answer', 'none', 200);
  return { ...tokens, refreshToken };
}

/** The library's errors contain the answer, including tokens, in their causes. We pass on only their names. */
function refused(operation: string, error: unknown): PaymentsApiError {
  if (error instanceof PaymentsApiError) return error;
  if (!(error instanceof oauth.ResponseBodyError)) {
    const what = error instanceof Error ? error.message : 'another answer';
    return malformed(operation, 'a token answer as defined by OAuth', what);
  }
  const name = safeCode(error.error) ?? 'an unreadable error';
  return new PaymentsApiError(
    CODE_BY_OAUTH_ERROR.get(name) ?? 'rejected',
    `${operation}: expected tokens; received ${error.status} (${name})`,
    { status: error.status, problems: [{ code: name, detail: error.error_description }] },
  );
}

const DEFAULT_LIFETIME_SECONDS = 7200;
/** One year. Dates far beyond it would overflow. */
const LONGEST_LIFETIME_SECONDS = 31_536_000;

const DECIMAL = /^\s*\d+(?:\.\d+)?\s*$/;

const anything = (value: unknown): unknown => value;
const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function lifetime(value: unknown): number | undefined {
  const seconds = typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value;
  const isOne = typeof seconds === 'number' && seconds >= 0 && seconds <= LONGEST_LIFETIME_SECONDS;
  return isOne ? Math.floor(seconds) : undefined;
}

/** The only documented type (docs/provider.md#authentication). Ignore other values: a call shows whether the token works, and the pair must not be lost. */
const tokenType = (): string => 'bearer';

/** The reader of each member. An unknown addition or change must not lose a new token pair, because the old one is spent. */
const READERS: Readonly<Record<string, (value: unknown) => unknown>> = {
  access_token: anything,
  token_type: tokenType,
  expires_in: lifetime,
  refresh_token: anything,
  scope: text,
  error: anything,
  error_description: anything,
};

/** The members that the library judges; undefined if the answer is not an object. Other members are dropped. */
function membersOf(answer: unknown): Record<string, unknown> | undefined {
  if (!isObject(answer)) return undefined;
  const read = Object.entries(READERS).map(([name, reader]) => [name, reader(answer[name])] as const);
  // A refresh token of null is a fault, and not the same as none. The library refuses it.
  const isStated = (name: string, value: unknown): boolean => value != null || name === 'refresh_token';
  return Object.fromEntries(read.filter(([name, value]) => value !== undefined && isStated(name, value)));
}

function tokensIn(answer: oauth.TokenEndpointResponse): RefreshAnswer {
  return {
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token,
    expiresInSeconds: answer.expires_in ?? DEFAULT_LIFETIME_SECONDS,
    scope: answer.scope ?? '',
  };
}
