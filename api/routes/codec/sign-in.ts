import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { showLoginPage, showSignedInPage, type Refused } from './login-page.js';
import { CODEC_SESSIONS } from './session.js';
import { contract, page, pageOrProblem, rawEndpoint } from '../../http/contract.js';
import type { Env } from '../../http/env.js';
import { requireOwnPage } from '../../http/own-page.js';
import { keyWithSecret } from '../../http/api-keys.js';

const LOGIN = '/codec/login';

const loginPage = contract({
  method: 'get',
  path: LOGIN,
  operationId: 'showCodecLogin',
  tags: ['operations'],
  summary: 'Show the sign-in page for decoding payloads in Temporal’s UI',
  description:
    'Open this page in a browser before you read payloads in Temporal’s UI. ' +
    'It shows the sign-in form, or until when the current session is valid.',
  task: 'custody.md#read-encrypted-payloads',
  access: 'public',
  connection: 'none',
  answers: { 200: page('The page shows the sign-in form, or the current session.') },
});

export const showCodecLogin = rawEndpoint(loginPage, (dependencies) => (c) => {
  const session = CODEC_SESSIONS.of(c, dependencies);
  return session === undefined ? showLoginPage(c) : showSignedInPage(c, session);
});

const Form = z.object({ key: z.string().meta({ description: 'The API key with the scope `decode`.' }) });

const started = contract({
  method: 'post',
  path: LOGIN,
  operationId: 'beginCodecSession',
  tags: ['operations'],
  summary: 'Sign in for an hour with an API key that has the scope decode',
  description:
    'The form of the sign-in page sends this; a tool uses `POST /codec/decode` with its API key instead. ' +
    'It sets a cookie that browsers send only to `/codec`, for an hour or until you sign out. If the key is removed, the cookie ends. ' +
    'Sign-ins and refusals are in the audit log.',
  task: 'custody.md#read-encrypted-payloads',
  access: 'public',
  connection: 'none',
  maxBodyBytes: 4 * 1024,
  request: { body: { required: true, content: { 'application/x-www-form-urlencoded': { schema: Form } } } },
  answers: {
    303: {
      description: 'You are signed in: the answer sets the cookie, and the browser returns to the page.',
    },
    401: page('The API key is unknown. The page shows the form again.'),
    403: pageOrProblem(
      'The API key lacks the scope decode; the page shows the form again. A problem if another site sent the form.',
    ),
  },
});

const SIGN_IN = { action: 'beginCodecSession', target: LOGIN };

export const beginCodecSession = rawEndpoint(
  started,
  (dependencies) => async (c) => {
    const key = keyWithSecret(dependencies.keys(), await pastedKey(c));
    const note = (outcome: string) =>
      dependencies.audit.note(c, { ...SIGN_IN, outcome, apiKeyId: key?.id, principal: key?.principal });
    if (key === undefined || !key.scopes.includes('decode')) {
      const why = key === undefined ? 'unauthenticated' : 'insufficient_scope';
      note(why);
      if (key === undefined) await dependencies.failedLogins.note('codec');
      return refuse(c, why);
    }
    CODEC_SESSIONS.begin(c, dependencies, key);
    note('done');
    dependencies.log.info('codec session started', {
      request_id: c.get('requestId'),
      api_key_id: key.id,
      principal: key.principal,
    });
    return c.redirect(LOGIN, 303);
  },
  { beforeAuthorisation: ({ isSecure }) => requireOwnPage(isSecure) },
);

/** Empty if the body is not this form. */
async function pastedKey(c: Context<Env>): Promise<string> {
  const { key } = await c.req.parseBody().catch(() => ({ key: undefined }));
  return typeof key === 'string' ? key.trim() : '';
}

function refuse(c: Context<Env>, why: Refused): Response | Promise<Response> {
  c.set('problem', why);
  return showLoginPage(c, why);
}

const ended = contract({
  method: 'post',
  path: '/codec/logout',
  operationId: 'endCodecSession',
  tags: ['operations'],
  summary: 'Sign out of the codec session',
  description:
    'The button of the sign-in page sends this. It deletes the cookie, and the browser returns to the page. ' +
    'A repeat changes nothing.',
  task: 'custody.md#read-encrypted-payloads',
  access: 'public',
  connection: 'none',
  answers: { 303: { description: 'You are signed out, and the browser returns to the page.' } },
  problems: [403],
});

export const endCodecSession = rawEndpoint(
  ended,
  (dependencies) => (c) => {
    const { id: apiKeyId, principal } = CODEC_SESSIONS.of(c, dependencies)?.key ?? {};
    CODEC_SESSIONS.end(c, dependencies);
    dependencies.audit.note(c, { action: 'endCodecSession', outcome: 'done', apiKeyId, principal });
    return c.redirect(LOGIN, 303);
  },
  { beforeAuthorisation: ({ isSecure }) => requireOwnPage(isSecure) },
);
