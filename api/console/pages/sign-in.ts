// Sign-in and sign-out. Refused keys are slowed down, counted and audited as those of the API.
import { keyWithSecret } from '../../http/api-keys.js';
import { rawEndpoint, type Endpoint } from '../../http/contract.js';
import type { ApiDependencies } from '../../http/dependencies.js';
import { requireOwnPage } from '../../http/own-page.js';
import { formIn, isLoopback, returnOf, type Form } from '../form.js';
import { CONSOLE_SESSIONS, pageContract } from '../visit.js';
import { askAgain } from './ask-again.js';
import { CARRIED, showSignIn } from './sign-in-form.js';
import type { Context } from 'hono';
import type { Env } from '../../http/env.js';

const SIGN_IN = '/console/sign-in';
const UNKNOWN = 'This API key is unknown. Check that you have pasted all of it.';

const fromOwnPage = { beforeAuthorisation: ({ isSecure }: ApiDependencies) => requireOwnPage(isSecure) };

export const showConsoleSignIn = (): Endpoint =>
  rawEndpoint(
    pageContract({
      access: 'public',
      method: 'get',
      path: SIGN_IN,
      operationId: 'showConsoleSignIn',
      summary: 'Show the sign-in form of the console',
      description: 'Open any page of the console instead: it shows this form if no one is signed in.',
    }),
    ({ isSecure }) =>
      (c) =>
        showSignIn(c, { to: returnOf(c.req.query('to')), isWanted: true }, isSecure),
  );

export const beginConsoleSession = (): Endpoint =>
  rawEndpoint(
    pageContract({
      access: 'public',
      method: 'post',
      path: SIGN_IN,
      operationId: 'beginConsoleSession',
      summary: 'Sign in to the console with an API key',
      description:
        'The sign-in form sends this. It sets a cookie that browsers send only to `/console`, for eight hours or until you sign out. ' +
        'If the key is removed or changed, the session ends. Sign-ins and refusals are in the audit log.',
    }),
    (dependencies) => async (c) => {
      const { key: pasted = '', to, ...rest } = await formIn(c);
      const form = carriedIn(rest);
      const key = keyWithSecret(dependencies.keys(), pasted.trim());
      const note = (outcome: string) =>
        dependencies.audit.note(c, {
          ...{ action: 'beginConsoleSession', target: SIGN_IN, outcome },
          ...{ apiKeyId: key?.id, principal: key?.principal },
        });
      if (key === undefined) {
        note('unauthenticated');
        c.set('problem', 'unauthenticated');
        await dependencies.failedLogins.note('console');
        return showSignIn(c, { to: returnOf(to), form, refused: UNKNOWN }, dependencies.isSecure);
      }
      const session = CONSOLE_SESSIONS.begin(c, cookieSettings(dependencies, c), key);
      note('done');
      if (Object.keys(form).length > 0) return askAgain(c, session, returnOf(to), form);
      return c.redirect(returnOf(to), 303);
    },
    fromOwnPage,
  );

const cookieSettings = (dependencies: ApiDependencies, c: Context<Env>) => ({
  ...dependencies,
  isSecure: dependencies.isSecure || !isLoopback(c),
});

/** The fields of the form that was sent without a session. */
const carriedIn = (fields: Form): Form =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      name.startsWith(CARRIED) ? [[name.slice(CARRIED.length), value]] : [],
    ),
  );

export const endConsoleSession = (): Endpoint =>
  rawEndpoint(
    pageContract({
      access: 'public',
      method: 'post',
      path: '/console/sign-out',
      operationId: 'endConsoleSession',
      summary: 'Sign out of the console',
      description: 'The button of each page sends this. It deletes the cookie, and a repeat changes nothing.',
    }),
    (dependencies) => async (c) => {
      const session = CONSOLE_SESSIONS.of(c, dependencies);
      const { form_token: token } = await formIn(c);
      if (session !== undefined && token === session.formToken) {
        const { id: apiKeyId, principal } = session.key;
        CONSOLE_SESSIONS.end(c, cookieSettings(dependencies, c));
        dependencies.audit.note(c, { action: 'endConsoleSession', outcome: 'done', apiKeyId, principal });
      }
      return c.redirect(SIGN_IN, 303);
    },
    fromOwnPage,
  );
