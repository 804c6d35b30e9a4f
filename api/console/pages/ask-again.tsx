// Shows a form that was not accepted because its session has ended, so that the person can send it again.
import type { Context } from 'hono';
import type { ApiKey } from '../../http/api-keys.js';
import type { Env } from '../../http/env.js';
import type { Form } from '../form.js';
import { sentenceOf } from '../format.js';
import { showPage } from '../layout.js';
import { Facts, Foreign, HiddenFields, TokenField } from '../parts.js';

/** Fields that mean nothing to a person. */
const TECHNICAL = ['uid', 'key', 'step'];

/** @param path the page of the form. */
export function askAgain(
  c: Context<Env>,
  session: { key: ApiKey; formToken: string },
  path: string,
  form: Form,
): Response | Promise<Response> {
  const typed = Object.entries(form).filter(([name, value]) => !TECHNICAL.includes(name) && value !== '');
  const content = (
    <>
      <p>Nothing was changed yet. This is what you were about to send:</p>
      <Facts rows={typed.map(([name, value]) => [sentenceOf(name), <Foreign text={value} />] as const)} />
      <form method="post" action={path} class="stacked">
        <TokenField formToken={session.formToken} />
        <HiddenFields form={form} />
        <button>Send the form</button>
      </form>
      <p>
        <a href="/console">Do not send it</a>
      </p>
    </>
  );
  return showPage(c, { title: 'Send your form again?', content, session });
}
