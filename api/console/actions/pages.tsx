// The pages of an action: what it does, its form, and what happened.
import { randomUUID } from 'node:crypto';
import { APPROVAL_HEADER } from '../../http/parameters.schema.js';
import type { Form } from '../form.js';
import { connectionsOf } from '../figures/scope.js';
import { dollars, sentenceOf } from '../format.js';
import { pathOf } from '../../routes/links.js';
import type { FloatAccountPage } from '../answers.js';
import { showPage } from '../layout.js';
import type { Problem } from '../own-api.js';
import { ProblemNotice, TokenField } from '../parts.js';
import type { Visit } from '../visit.js';
import { ADVICE } from './of-flag.js';
import type { Action, Field } from './action.js';

/** A resource as the pages of its actions need it. */
export interface Subject<Resource> {
  resource: Resource;
  /** Such as `agreement agr-1`. */
  name: string;
  /** Its page in the console, and its path in the API. */
  page: string;
  path: string;
}

type FloatAccount = FloatAccountPage['data'][number];

interface Attempt {
  form?: Form;
  problem?: Problem;
  wrong?: string;
}

/** Shows the form with what the person typed, and why it was refused. */
export async function showAction<Resource>(
  visit: Visit,
  action: Action<Resource>,
  { resource, name, page }: Subject<Resource>,
  { form = {}, problem, wrong }: Attempt = {},
): Promise<Response> {
  const isOffered = action.isOffered(resource);
  const mayAct = visit.key.scopes.includes(action.scope);
  const needsAccount = isOffered && action.fields.some(({ type }) => type === 'float-account');
  const accounts = needsAccount ? await floatAccountsOf(visit) : [];
  const content = (
    <>
      <p>
        <a href={page}>Back to {name}</a>
      </p>
      <Refusal action={action} problem={problem} wrong={wrong} />
      {mayAct ? null : (
        <p class="notice warn">Your key lacks the scope {action.scope}, so you cannot send this.</p>
      )}
      {isOffered ? (
        <ActionForm
          visit={visit}
          action={action}
          resource={resource}
          form={form}
          problem={problem}
          mayAct={mayAct}
          accounts={accounts}
        />
      ) : problem === undefined ? (
        <p class="notice warn">
          This is not possible in the current state. Another person may have done it already: see the
          timeline.
        </p>
      ) : null}
    </>
  );
  return showPage(visit.c, {
    title: `${action.title}: ${name}`,
    content,
    session: visit,
    status: problem === undefined && wrong === undefined ? 200 : 422,
  });
}

const Refusal = <Resource,>({
  action: { advice },
  problem,
  wrong,
}: {
  action: Action<Resource>;
  problem: Problem | undefined;
  wrong: string | undefined;
}) => (
  <>
    {problem === undefined ? null : (
      <ProblemNotice problem={problem} advice={advice?.(problem) ?? ADVICE[problem.code]} />
    )}
    {wrong === undefined ? null : (
      <p class="notice bad" role="alert">
        {wrong}
      </p>
    )}
  </>
);

function ActionForm<Resource>({
  visit,
  action,
  resource,
  form,
  problem,
  mayAct,
  accounts,
}: { visit: Visit; action: Action<Resource>; resource: Resource; mayAct: boolean } & {
  accounts: readonly FloatAccount[];
  form: Form;
  problem: Problem | undefined;
}) {
  const approval = form['approval'] ?? approvalIn(problem);
  return (
    <>
      <h2>What happens</h2>
      <ul>
        {action.effect(resource, form).map((sentence) => (
          <li>
            <bdi>{sentence}</bdi>
          </li>
        ))}
      </ul>
      <form method="post" action={visit.c.req.path} class="stacked">
        <TokenField formToken={visit.formToken} />
        <input type="hidden" name="key" value={form['key'] ?? randomUUID()} />
        {action.fields.map((field) => (
          <FieldOf field={field} value={form[field.name]} accounts={accounts} />
        ))}
        {visit.dependencies.isDualControl &&
        action.scope === 'operate' &&
        action.isWithoutApproval !== true ? (
          <FieldOf
            field={{
              ...{ name: 'approval', label: 'Approval id (for the second person, and then for the first)' },
              ...{ type: 'text', isRequired: false, longest: 60 },
            }}
            value={approval}
          />
        ) : null}
        <button disabled={!mayAct}>{action.title}</button>
      </form>
    </>
  );
}

/** The id that the API names in its refusal. */
function approvalIn(problem: Problem | undefined): string | undefined {
  const [id] = /[0-9a-f]{32}-[0-9a-z]{1,9}/.exec(problem?.detail ?? '') ?? [];
  return id;
}

/** What a link to the form fills. */
export const linkedForm = <Resource,>({ c }: Visit, { fields }: Action<Resource>): Form =>
  Object.fromEntries(
    fields.flatMap(({ name, isFromLink }) => {
      const value = isFromLink === true ? c.req.query(name) : undefined;
      return value === undefined ? [] : [[name, value]];
    }),
  );

/** A labelled field. @param accounts for a field of a float account. */
export function FieldOf({
  field,
  value,
  accounts = [],
}: {
  field: Field;
  value: string | undefined;
  accounts?: readonly FloatAccount[];
}) {
  const { name, label, hint, type } = field;
  const describedBy = hint === undefined ? undefined : `${name}-hint`;
  return (
    <>
      <label for={name}>{label}</label>
      {type === 'choice' ? (
        <select id={name} name={name} aria-describedby={describedBy}>
          {field.options.map((option) => (
            <option value={option} selected={option === value}>
              {sentenceOf(option)}
            </option>
          ))}
        </select>
      ) : type === 'float-account' ? (
        <AccountChoice name={name} value={value} accounts={accounts} />
      ) : (
        <input
          id={name}
          name={name}
          value={value ?? field.initial ?? ''}
          type={type === 'date' ? 'date' : 'text'}
          autocomplete="off"
          inputmode={type === 'money' ? 'decimal' : undefined}
          required={field.isRequired}
          maxlength={field.longest}
          aria-describedby={describedBy}
        />
      )}
      {hint === undefined ? null : (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
    </>
  );
}

/** A person can type the account that the system does not follow. */
const AccountChoice = ({
  name,
  value,
  accounts,
}: {
  name: string;
  value: string | undefined;
  accounts: readonly FloatAccount[];
}) =>
  accounts.length === 0 ? (
    <>
      <input id={name} name={name} value={value ?? ''} type="text" autocomplete="off" required />
      <p class="hint">The UUID of the account at the provider. Your key may see no float account here.</p>
    </>
  ) : (
    <select id={name} name={name} required>
      {accounts.map(({ uid, title, balance, connection }) => (
        <option value={uid} selected={uid === value}>
          {`${title ?? uid}, ${connection ?? 'no connection'}, ${balance === null ? 'unknown balance' : dollars(balance)}`}
        </option>
      ))}
    </select>
  );

async function floatAccountsOf({ api, key }: Visit): Promise<FloatAccount[]> {
  const pages = await Promise.all(
    connectionsOf(key).map((connection) =>
      api.read<FloatAccountPage>(pathOf('/v1/float-accounts', { per_page: 200, connection })),
    ),
  );
  return pages.flatMap(({ answer }) => answer?.data ?? []);
}

/** Sends the command. Its key is that of the form, so a second click changes nothing. */
export async function act<Resource>(
  visit: Visit,
  action: Action<Resource>,
  subject: Subject<Resource>,
  form: Form,
): Promise<Response> {
  const request = action.request(subject.path, form);
  if ('wrong' in request) return showAction(visit, action, subject, { form, wrong: request.wrong });
  const { key = '', approval } = form;
  const headers = { 'idempotency-key': key, ...(approval && { [APPROVAL_HEADER]: approval }) };
  const { problem } = await visit.api.send(request.path, request.body, headers);
  noteAction(visit, action, { target: request.path, form, problem });
  if (problem !== undefined) return showAction(visit, action, subject, { form, problem });
  return visit.c.redirect(`${subject.page}?done=${action.name}`, 303);
}

/** Who did it and for which reason, as a code. Free text is in the timeline, because the audit log has no personal data. */
function noteAction<Resource>(
  { c, dependencies }: Visit,
  { operationId, fields }: Action<Resource>,
  { target, form, problem }: { target: string; form: Form; problem: Problem | undefined },
): void {
  if (operationId === undefined) return;
  const codes = fields.flatMap(({ type, name }) =>
    type === 'choice' && form[name] ? [[name, form[name]]] : [],
  );
  dependencies.audit.note(c, {
    ...{ action: operationId, outcome: problem?.code ?? 'done', target },
    details: { from: 'console', ...(Object.fromEntries(codes) as Record<string, string>) },
  });
}
