// POST /oauth/token: form fields in, a token pair out. Each code and each refresh token works once.
import type { Engine } from '../engine.js';
import { AFTER_COMMIT, BEFORE_COMMIT } from '../faults/actions.schema.js';
import type { Fault } from '../faults/fault.schema.js';
import { readForm, type Form } from '../http/form.js';
import {
  jsonAnswer,
  realResponse,
  type RealAnswer,
  type RequestContext,
  type Router,
} from '../http/responses.js';
import { NO_ANSWER, spoiltAnswer, spoiltStatus } from '../http/spoil-answer.js';
import { grantOfRefreshToken, type Issue, type Issued } from './grants.js';
import { judgeTokenRequest, type Judged, type OAuthError } from './judge-token-request.js';

const NOT_TO_BE_STORED = { 'cache-control': 'no-store', pragma: 'no-cache' };

export function registerIssueToken(router: Router, engine: Engine): void {
  router.post('/oauth/token', async (c) => {
    const form = await readForm(c);
    engine.scheduler.catchUp();
    for (const [name, value] of Object.entries(NOT_TO_BE_STORED)) c.header(name, value);
    const uids = [grantOfRefreshToken(engine, form?.['refresh_token'] ?? '')?.id ?? null];
    const before = engine.faults.take('token', uids, BEFORE_COMMIT);
    if (before !== undefined) return spoiled(engine, c, form, before);
    const judged = judgeTokenRequest(engine, form, c.req.header('authorization'));
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

/** Without `expires_in` where the access token does not end: no document says how else it would be told. */
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
