// The actions of a resource as links, and what a page says after one was taken.
import type { Child } from 'hono/jsx';
import type { Action } from '../actions/action.js';
import type { Visit } from '../visit.js';

/** The address names the action, and the text is ours. So a link cannot put words into the page. */
export function DoneNotice({
  visit,
  actions,
}: {
  visit: Visit;
  actions: readonly Pick<Action<never>, 'name' | 'done'>[];
}) {
  const name = visit.c.req.query('done');
  const text =
    name === 'payment'
      ? 'The payment was accepted. It is not paid yet: reload the page to see its outcome.'
      : name === 'flag'
        ? 'The flag was resolved.'
        : actions.find((action) => action.name === name)?.done;
  return text === undefined ? null : (
    <p class="notice good" role="status">
      {text}
    </p>
  );
}

/** Only those that the current state allows. */
export function ActionLinks<Resource>({
  page,
  actions,
  resource,
  children,
}: {
  page: string;
  actions: readonly Action<Resource>[];
  resource: Resource;
  children?: Child;
}) {
  const offered = actions.filter(({ isOffered }) => isOffered(resource));
  return (
    <nav class="actions" aria-label="Actions">
      {children}
      {offered.map(({ name, title }) => (
        <a href={`${page}/commands/${name}`}>{title}</a>
      ))}
    </nav>
  );
}
