// The form that signs in with an API key. It keeps the content of a form that was sent without a session.
import type { Context } from 'hono';
import type { Env } from '../../http/env.js';
import { isLoopback, type Form } from '../form.js';
import { showPage } from '../layout.js';

interface SignIn {
  /** Where the person continues. */
  to: string;
  /** What the person sent there. */
  form?: Form;
  /** Why the previous key was refused. */
  refused?: string;
  /** The person has opened this page itself. */
  isWanted?: boolean;
}

/** The prefix of fields that belong to the other form. */
export const CARRIED = 'form.';

export function showSignIn(
  c: Context<Env>,
  { to, form = {}, refused, isWanted = false }: SignIn,
  isSecure = true,
): Response | Promise<Response> {
  const isWaiting = Object.keys(form).length > 0;
  const content = (
    <>
      {refused === undefined ? null : (
        <p class="notice bad" role="alert">
          {refused}
        </p>
      )}
      {isSecure || isLoopback(c) ? null : (
        <p class="notice warn">
          Browsers refuse to sign in over http except on localhost. Open the console over https, and set
          CODEC_URL to an https address.
        </p>
      )}
      {isWaiting ? (
        <p class="notice warn">
          Your session has ended, and nothing was changed. Sign in: your form is kept, and you can send it
          again.
        </p>
      ) : null}
      <form method="post" action="/console/sign-in" class="stacked">
        <label for="key">API key</label>
        <input id="key" name="key" type="password" autocomplete="off" required autofocus />
        <p class="hint">The session has the scopes and connections of this key. It ends after eight hours.</p>
        <input type="hidden" name="to" value={to} />
        {Object.entries(form).map(([name, value]) => (
          <input type="hidden" name={`${CARRIED}${name}`} value={value} />
        ))}
        <button>Sign in</button>
      </form>
    </>
  );
  return showPage(c, { title: 'Sign in to the PayTo console', content, status: isWanted ? 200 : 401 });
}
