// What every page of the console shares: its contract, the session, the form token, and how it is answered.
import type { Context } from 'hono';
import type { ApiKey } from '../http/api-keys.js';
import { contract, page, rawEndpoint, type Endpoint } from '../http/contract.js';
import type { ApiDependencies } from '../http/dependencies.js';
import type { Env } from '../http/env.js';
import { keySessions, type KeySession } from '../http/key-session.js';
import { requireOwnPage } from '../http/own-page.js';
import { UidSchema } from '../../domain/agreement/mandate.schema.js';
import { CONSOLE_SESSION_CONTEXT } from '../../sealing/contexts.js';
import { z } from 'zod';
import { formIn, type Form } from './form.js';
import { askAgain } from './pages/ask-again.js';
import { showFailure } from './pages/refusal.js';
import { showSignIn } from './pages/sign-in-form.js';
import type { OwnApi } from './own-api.js';

export const CONSOLE = '/console';

export const CONSOLE_SESSIONS = keySessions({
  cookie: 'payto_console',
  path: CONSOLE,
  context: CONSOLE_SESSION_CONTEXT,
  lifeSeconds: 8 * 60 * 60,
});

export type Answer = Response | Promise<Response>;

/** A request of a person who is signed in. */
export interface Visit {
  c: Context<Env>;
  key: ApiKey;
  formToken: string;
  api: OwnApi;
  dependencies: ApiDependencies;
}

/** Makes the API of a caller. */
export type ApiOf = (dependencies: ApiDependencies) => (c: Context<Env>, key: ApiKey) => OwnApi;

interface Place {
  /** Default: `session`. */
  access?: 'public' | 'session';
  method: 'get' | 'post';
  path: string;
  operationId: string;
  summary: string;
  description: string;
  /** Its media type, if it answers with a file. */
  file?: string;
}

/** The contract of a page. The page itself checks the session, because it answers with the sign-in form instead of a problem. */
export function pageContract({ method, path, access = 'session', file, ...said }: Place) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? []);
  const params = z.object(Object.fromEntries(names.map((name) => [name, UidSchema])));
  const body = {
    content: { 'application/x-www-form-urlencoded': { schema: z.record(z.string(), z.string()) } },
  };
  return contract({
    ...{ method, path, ...said, tags: ['operations'], access, connection: 'none' },
    task: 'operating.md#the-console',
    request: { ...(names.length > 0 && { params }), ...(method === 'post' && { body }) },
    answers: {
      200:
        file === undefined
          ? page('The page.')
          : { description: 'The file.', content: { [file]: { schema: { type: 'string' } } } },
      401: page('The sign-in form.'),
    },
    problems: method === 'post' ? [403] : [],
  });
}

/** A page that only reads. */
export const readPage =
  (place: Omit<Place, 'method'>, show: (visit: Visit) => Answer) =>
  (apiOf: ApiOf): Endpoint =>
    rawEndpoint(pageContract({ ...place, method: 'get' }), (dependencies) => (c) => {
      const session = CONSOLE_SESSIONS.of(c, dependencies);
      if (session === undefined) return showSignIn(c, { to: pathWithQuery(c) });
      return answered(visitOf(c, session, dependencies, apiOf), show);
    });

/** A page that receives a form. Without a valid session or form token nothing happens, and the person can send the same form again. */
export const formPage =
  (place: Omit<Place, 'method'>, receive: (visit: Visit, form: Form) => Answer) =>
  (apiOf: ApiOf): Endpoint =>
    rawEndpoint(
      pageContract({ ...place, method: 'post' }),
      (dependencies) => async (c) => {
        const { form_token: token, ...form } = await formIn(c);
        const session = CONSOLE_SESSIONS.of(c, dependencies);
        if (session === undefined) return showSignIn(c, { to: c.req.path, form });
        if (token !== session.formToken) return askAgain(c, session, c.req.path, form);
        return answered(visitOf(c, session, dependencies, apiOf), (visit) => receive(visit, form));
      },
      { beforeAuthorisation: ({ isSecure }) => requireOwnPage(isSecure) },
    );

async function answered(visit: Visit, show: (visit: Visit) => Answer): Promise<Response> {
  try {
    return await show(visit);
  } catch (error) {
    return showFailure(visit, error);
  }
}

/** The log and the audit log name the key of the session, as that of an API request. */
function visitOf(
  c: Context<Env>,
  { key, formToken }: KeySession,
  dependencies: ApiDependencies,
  apiOf: ApiOf,
): Visit {
  c.set('apiKey', key);
  c.set('principal', key.principal);
  return { c, key, formToken, dependencies, api: apiOf(dependencies)(c, key) };
}

function pathWithQuery(c: Context<Env>): string {
  const { pathname, search } = new URL(c.req.url);
  return `${pathname}${search}`;
}

/** A parameter of the path, which the pattern of the route has checked. */
export const parameter = ({ c }: Pick<Visit, 'c'>, name: string): string =>
  decodeURIComponent(c.req.param(name) ?? '');
