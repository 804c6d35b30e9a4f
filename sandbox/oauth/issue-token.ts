// POST /oauth/token: form fields in, a token pair out. Each code and each refresh token works once.
import type { Engine } from '../engine.js';
import { readForm, type Form } from '../http/form.js';
import { ACCESS_TOKEN_SECONDS, exchangeCode, refresh, type Issue } from './grants.js';
import { AFTER_COMMIT, BEFORE_COMMIT, type Fault } from '../faults/fault.schema.js';
import { breakOff, statusOf, type RequestContext, type Router } from '../http/responses.js';
import type { Settings } from '../settings.js';

interface OAuthError {
  status: 400 | 401;
  error: 'invalid_request' | 'invalid_client' | 'invalid_grant' | 'unsupported_grant_type';
  error_description: string;
}

/** What became of the request: refused before a grant was looked at, or looked up and answered. */
type Result = { error: OAuthError } | { issue: Issue };

export function registerIssueToken(router: Router, engine: Engine): void {
  router.post('/oauth/token', async (c) => {
    const form = await readForm(c);
    engine.scheduler.catchUp();
    c.header('cache-control', 'no-store');
    c.header('pragma', 'no-cache');
    const before = engine.faults.take('token', [], BEFORE_COMMIT);
    if (before !== undefined) return spoiled(engine, c, form, before);
    const result = judge(engine, form, c.req.header('authorization'));
    const isIssued = 'issue' in result && result.issue.outcome === 'issued';
    const after = isIssued ? engine.faults.take('token', [], AFTER_COMMIT) : undefined;
    if (after !== undefined) return spoiled(engine, c, form, after, result);
    return answered(engine, c, form, result);
  });
}

function judge(engine: Engine, form: Form | undefined, authorization: string | undefined): Result {
  if (form === undefined) return refused(400, 'invalid_request', 'The request must be sent as form fields');
  const client = authorization === undefined ? undefined : basicCredentials(authorization);
  if (!isOurClient(engine.settings, client ?? form)) {
    return refused(401, 'invalid_client', 'The client is not known or its secret is wrong');
  }
  const { grant_type, code, redirect_uri, refresh_token } = form;
  if (grant_type === 'authorization_code') {
    return code === undefined || redirect_uri === undefined
      ? refused(400, 'invalid_request', 'code and redirect_uri are required')
      : { issue: exchangeCode(engine, code, redirect_uri) };
  }
  if (grant_type === 'refresh_token') {
    return refresh_token === undefined
      ? refused(400, 'invalid_request', 'refresh_token is required')
      : { issue: refresh(engine, refresh_token) };
  }
  return grant_type === undefined
    ? refused(400, 'invalid_request', 'grant_type is required')
    : refused(400, 'unsupported_grant_type', 'grant_type must be authorization_code or refresh_token');
}

function refused(status: OAuthError['status'], error: OAuthError['error'], description: string): Result {
  return { error: { status, error, error_description: description } };
}

function isOurClient({ clientId, clientSecret }: Settings, { client_id, client_secret }: Form): boolean {
  return client_id === clientId && client_secret === clientSecret;
}

/** Never undefined once the header is there: a header that cannot be read is a client that is not known. */
function basicCredentials(authorization: string): Form {
  const encoded = /^Basic +(\S+)$/i.exec(authorization)?.[1] ?? '';
  const [id = '', ...secret] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return { client_id: formDecoded(id), client_secret: formDecoded(secret.join(':')) };
}

function formDecoded(text: string): string {
  return new URLSearchParams(`value=${text.replaceAll('&', '%26')}`).get('value') ?? '';
}

function answered(engine: Engine, c: RequestContext, form: Form | undefined, result: Result): Response {
  if ('issue' in result && result.issue.outcome === 'issued') {
    const { grant, tokens } = result.issue;
    note(engine, form, result, 200);
    const scope = grant.scopes.join(' ');
    return c.json({ ...tokens, token_type: 'bearer', expires_in: ACCESS_TOKEN_SECONDS, scope });
  }
  const { status, ...body } = 'error' in result ? result.error : invalidGrant(result.issue);
  if (status === 401) c.header('www-authenticate', 'Basic realm="sandbox"');
  note(engine, form, result, status);
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
  result?: Result,
): Response {
  note(engine, form, result, statusOf(fault), fault);
  return breakOff(c, fault);
}

function note(
  engine: Engine,
  form: Form | undefined,
  result: Result | undefined,
  status: number | 'cut',
  fault?: Fault,
): void {
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
