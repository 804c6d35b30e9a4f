// POST /oauth/token: takes form fields and returns a token pair. Each code and each refresh token works once.
import type { Registration } from '../calls/operation.js';
import { NO_ANSWER, spoiltAnswer, spoiltStatus } from '../calls/spoil-answer.js';
import type { Engine } from '../engine/parts.js';
import type { Settings } from '../engine/settings.js';
import { AFTER_COMMIT, BEFORE_COMMIT } from '../faults/actions.schema.js';
import type { Fault } from '../faults/rule.schema.js';
import { type Form, readForm } from '../http/request.js';
import {
  jsonAnswer,
  realResponse,
  type RealAnswer,
  type RequestContext,
  type Router,
} from '../http/responses.js';
import {
  exchangeCode,
  grantOfRefreshToken,
  isSpent,
  refresh,
  type Issue,
  type RecentPairs,
  createRecentPairs,
  type Issued,
} from '../tokens/grants.js';
import { registerShowConsent, registerDecideConsent } from './authorize.js';

// Validates a token request: refuses it, or looks up its grant and issues tokens.
export interface OAuthError {
  status: 400 | 401;
  error: 'invalid_request' | 'invalid_client' | 'invalid_grant' | 'unsupported_grant_type';
  error_description: string;
}

export interface Judged {
  result: { error: OAuthError } | { issue: Issue };
  /** The fault that changed the outcome. */
  fault?: Fault;
}

type TokenServer = Engine & { recentPairs: RecentPairs };

function judgeTokenRequest(
  server: TokenServer,
  form: Form | undefined,
  authorization: string | undefined,
): Judged {
  if (form === undefined)
    return refusedWith(400, 'invalid_request', 'The request must be sent as form fields');
  const client = authorization === undefined ? undefined : basicCredentials(authorization);
  if (!isRegisteredClient(server.settings, client ?? form)) return invalidClient();
  const fault = server.faults.take('token', [], ['invalid_client']);
  if (fault !== undefined) return { ...invalidClient(), fault };
  const { grant_type, code, redirect_uri, code_verifier, refresh_token } = form;
  if (grant_type === 'authorization_code') {
    return code === undefined || redirect_uri === undefined
      ? refusedWith(400, 'invalid_request', 'code and redirect_uri are required')
      : { result: { issue: exchangeCode(server, code, redirect_uri, code_verifier) } };
  }
  if (grant_type === 'refresh_token') {
    return refresh_token === undefined
      ? refusedWith(400, 'invalid_request', 'refresh_token is required')
      : refreshed(server, refresh_token);
  }
  return grant_type === undefined
    ? refusedWith(400, 'invalid_request', 'grant_type is required')
    : refusedWith(400, 'unsupported_grant_type', 'grant_type must be authorization_code or refresh_token');
}

/** Faults may revoke the grant now, or accept a refresh token within a grace period after its use. */
function refreshed(server: TokenServer, refreshToken: string): Judged {
  const grant = grantOfRefreshToken(server, refreshToken);
  const uids = [grant?.id ?? null];
  const revoked = grant === undefined ? undefined : server.faults.take('token', uids, ['revoke_grant']);
  if (grant !== undefined && revoked !== undefined) grant.revoked = true;
  const graced = isSpent(server, refreshToken) ? server.faults.take('token', uids, ['grace']) : undefined;
  const graceSeconds = graced?.grace_seconds ?? server.store.account.grace_seconds;
  const fault = revoked ?? graced;
  const issue = refresh(server, refreshToken, graceSeconds * 1000);
  return { result: { issue }, ...(fault && { fault }) };
}

function refusedWith(status: OAuthError['status'], error: OAuthError['error'], description: string): Judged {
  return { result: { error: { status, error, error_description: description } } };
}

const invalidClient = (): Judged =>
  refusedWith(401, 'invalid_client', 'The client is unknown or its secret is wrong');

function isRegisteredClient(
  { clientId, clientSecret }: Settings,
  { client_id, client_secret }: Form,
): boolean {
  return client_id === clientId && client_secret === clientSecret;
}

/** Never undefined if there is a header: an unreadable header counts as an unknown client. */
function basicCredentials(authorization: string): Form {
  const encoded = /^Basic +(\S+)$/i.exec(authorization)?.[1] ?? '';
  const [id = '', ...secret] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return { client_id: formDecoded(id), client_secret: formDecoded(secret.join(':')) };
}

function formDecoded(text: string): string {
  return new URLSearchParams(`value=${text.replaceAll('&', '%26')}`).get('value') ?? '';
}

const NOT_TO_BE_STORED = { 'cache-control': 'no-store', pragma: 'no-cache' };

function registerIssueToken(router: Router, engine: Engine): void {
  const recentPairs = createRecentPairs();
  router.post('/oauth/token', async (c) => {
    const form = await readForm(c);
    engine.scheduler.catchUp();
    for (const [name, value] of Object.entries(NOT_TO_BE_STORED)) c.header(name, value);
    const uids = [grantOfRefreshToken(engine, form?.['refresh_token'] ?? '')?.id ?? null];
    const before = engine.faults.take('token', uids, BEFORE_COMMIT);
    if (before !== undefined) return spoiled(engine, c, form, before);
    const judged = judgeTokenRequest({ ...engine, recentPairs }, form, c.req.header('authorization'));
    const issued = issuedBy(judged);
    if (issued === undefined) return refused(engine, c, form, judged);
    const answer = tokenAnswer(issued);
    const after = engine.faults.take('token', uids, AFTER_COMMIT);
    if (after !== undefined) return spoiled(engine, c, form, after, { judged, answer });
    note(engine, form, judged, 200);
    return realResponse(c, answer);
  });
}

function issuedBy({ result }: Judged): Issued | undefined {
  return 'issue' in result && 'tokens' in result.issue ? result.issue : undefined;
}

/** Omits `expires_in` if the access token never expires. The documents show no other form. */
function tokenAnswer({ grant, tokens, expiresInSeconds }: Issued): RealAnswer {
  const lifetime = expiresInSeconds === null ? {} : { expires_in: expiresInSeconds };
  return jsonAnswer(200, { ...tokens, token_type: 'bearer', ...lifetime, scope: grant.scopes.join(' ') });
}

function refused(engine: Engine, c: RequestContext, form: Form | undefined, judged: Judged): Response {
  const { result } = judged;
  const { status, ...body } = 'error' in result ? result.error : invalidGrant(result.issue);
  if (status === 401) c.header('www-authenticate', 'Basic realm="sandbox"');
  note(engine, form, judged, status);
  return c.json(body, status);
}

function invalidGrant({ outcome }: Issue): OAuthError {
  return { status: 400, error: 'invalid_grant', error_description: outcome.replaceAll('_', ' ') };
}

function spoiled(
  engine: Engine,
  c: RequestContext,
  form: Form | undefined,
  fault: Fault,
  { judged, answer = NO_ANSWER }: { judged?: Judged; answer?: RealAnswer } = {},
): Response | Promise<Response> {
  note(engine, form, judged, spoiltStatus(fault, answer), fault);
  return spoiltAnswer(c, fault, answer);
}

function note(
  engine: Engine,
  form: Form | undefined,
  judged: Judged | undefined,
  status: number | 'cut',
  fault = judged?.fault,
): void {
  const result = judged?.result;
  const issue = result !== undefined && 'issue' in result ? result.issue : undefined;
  const error = result !== undefined && 'error' in result ? result.error.error : undefined;
  engine.ledger.append({
    kind: 'token',
    grant_type: form?.['grant_type'] ?? null,
    outcome: issue?.outcome ?? error ?? 'not_processed',
    status,
    grant: issue?.grant?.id ?? null,
    generation: issue?.grant?.generation ?? null,
    fault: fault?.do ?? null,
  });
}

export const OAUTH_ROUTES: readonly Registration[] = [
  registerShowConsent,
  registerDecideConsent,
  registerIssueToken,
];
