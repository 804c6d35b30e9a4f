// What a token request is worth: refused before a grant is looked at, or looked up and answered.
import type { Engine } from '../engine.js';
import type { Fault } from '../faults/fault.schema.js';
import type { Form } from '../http/form.js';
import { exchangeCode, grantOfRefreshToken, isSpent, refresh, type Issue } from './grants.js';
import type { Settings } from '../settings.js';

export interface OAuthError {
  status: 400 | 401;
  error: 'invalid_request' | 'invalid_client' | 'invalid_grant' | 'unsupported_grant_type';
  error_description: string;
}

export interface Judged {
  result: { error: OAuthError } | { issue: Issue };
  /** What made the server judge otherwise than it would have. */
  fault?: Fault;
}

export function judgeTokenRequest(
  engine: Engine,
  form: Form | undefined,
  authorization: string | undefined,
): Judged {
  if (form === undefined) return refused(400, 'invalid_request', 'The request must be sent as form fields');
  const client = authorization === undefined ? undefined : basicCredentials(authorization);
  if (!isOurClient(engine.settings, client ?? form)) return invalidClient();
  const fault = engine.faults.take('token', [], ['invalid_client']);
  if (fault !== undefined) return { ...invalidClient(), fault };
  const { grant_type, code, redirect_uri, code_verifier, refresh_token } = form;
  if (grant_type === 'authorization_code') {
    return code === undefined || redirect_uri === undefined
      ? refused(400, 'invalid_request', 'code and redirect_uri are required')
      : { result: { issue: exchangeCode(engine, code, redirect_uri, code_verifier) } };
  }
  if (grant_type === 'refresh_token') {
    return refresh_token === undefined
      ? refused(400, 'invalid_request', 'refresh_token is required')
      : refreshed(engine, refresh_token);
  }
  return grant_type === undefined
    ? refused(400, 'invalid_request', 'grant_type is required')
    : refused(400, 'unsupported_grant_type', 'grant_type must be authorization_code or refresh_token');
}

/** A grant may be lost in this very moment, and a refresh token that was just used may be met with grace. */
function refreshed(engine: Engine, refreshToken: string): Judged {
  const grant = grantOfRefreshToken(engine, refreshToken);
  const uids = [grant?.id ?? null];
  const revoked = grant === undefined ? undefined : engine.faults.take('token', uids, ['revoke_grant']);
  if (grant !== undefined && revoked !== undefined) grant.revoked = true;
  const graced = isSpent(engine, refreshToken) ? engine.faults.take('token', uids, ['grace']) : undefined;
  const graceSeconds = graced?.grace_seconds ?? engine.store.account.grace_seconds;
  const fault = revoked ?? graced;
  const issue = refresh(engine, refreshToken, graceSeconds * 1000);
  return { result: { issue }, ...(fault && { fault }) };
}

function refused(status: OAuthError['status'], error: OAuthError['error'], description: string): Judged {
  return { result: { error: { status, error, error_description: description } } };
}

const invalidClient = (): Judged =>
  refused(401, 'invalid_client', 'The client is not known or its secret is wrong');

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
