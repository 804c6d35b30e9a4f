// The two pages of each action of a resource: its form, and what receives the form.
import type { Action } from '../actions/action.js';
import { act, showAction, type Subject } from '../actions/pages.js';
import type { Form } from '../form.js';
import type { Answered } from '../own-api.js';
import { formPage, parameter, readPage, type Answer, type Visit } from '../visit.js';
import { pathTo } from '../../routes/links.js';
import { pageOf, type Paged } from '../places.js';
import { words } from '../format.js';
import { showProblem } from './refusal.js';

/** A resource of the API with a page and commands. */
export type Commanded = Exclude<Paged, 'webhook-endpoint'>;

/** Reads the resource of the path. Its endpoint checks the key. @param name of the parameter of the path. */
export const subjectOf =
  <Resource>(noun: Commanded, name: 'uid' | 'id') =>
  async (visit: Visit): Promise<Answered<Subject<Resource>>> => {
    const uid = parameter(visit, name);
    const path = pathTo(noun, uid);
    const { answer, problem } = await visit.api.read<{ data: Resource }>(path);
    if (problem !== undefined) return { problem };
    const page = pageOf(noun, uid);
    return { answer: { resource: answer.data, name: `${words(noun)} ${uid}`, page, path } };
  };

interface ActionPages<Resource> {
  path: string;
  /** Such as `ConnectionCommand`, for the ids of the operations. */
  operation: string;
  /** Such as `connection with this id`. */
  noun: string;
  /** Reads the resource of the path. Its endpoint checks the key. */
  subject: (visit: Visit) => Promise<Answered<Subject<Resource>>>;
  /** The action that the path names. */
  action: (visit: Visit, resource: Resource) => Action<Resource> | undefined;
}

const NO_COMMAND = {
  status: 404,
  code: 'not_found',
  title: 'Not found',
  detail: 'There is no such command.',
} as const;

/** @returns the page with the form, and the one that receives it. */
export function actionPages<Resource>({ path, operation, noun, subject, action }: ActionPages<Resource>) {
  const withAction = async (
    visit: Visit,
    show: (action: Action<Resource>, subject: Subject<Resource>) => Answer,
  ): Promise<Response> => {
    const { answer, problem } = await subject(visit);
    if (problem !== undefined) return showProblem(visit, problem, noun);
    const found = action(visit, answer.resource);
    return found === undefined
      ? showProblem(visit, NO_COMMAND, 'command with this name')
      : show(found, answer);
  };
  return [
    readPage(
      {
        ...{ path, operationId: `show${operation}`, summary: `Show the form of a command: ${noun}` },
        description: 'It states the effect first. The page of the resource links to it.',
      },
      (visit) =>
        withAction(visit, (found, of) => showAction(visit, found, of, { form: linkedForm(visit, found) })),
    ),
    formPage(
      {
        ...{ path, operationId: `send${operation}`, summary: `Send a command: ${noun}` },
        description:
          'The form sends this. It does what the endpoint of the API does, with the rights of the session.',
      },
      (visit, form) => withAction(visit, (found, of) => act(visit, found, of, form)),
    ),
  ];
}

/** The values that a link has given, for the fields that allow it. */
const linkedForm = <Resource>({ c }: Visit, { fields }: Action<Resource>): Form =>
  Object.fromEntries(
    fields.flatMap(({ name, isFromLink }) => {
      const value = isFromLink === true ? c.req.query(name) : undefined;
      return value === undefined ? [] : [[name, value]];
    }),
  );
