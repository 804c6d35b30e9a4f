// An action that a person can take on a resource: its form, what it does, and the endpoint of the API that does it.
import type { Child } from 'hono/jsx';
import type { Scope } from '../../http/api-keys.js';
import type { Form } from '../form.js';
import type { Answered, Problem } from '../own-api.js';
import type { Visit } from '../visit.js';

export type Field = {
  name: string;
  label: string;
  hint?: string;
  /** A link to the form may set its value in the query. Never for words that others read, or for an account. */
  isFromLink?: true;
} &
  /** `sydney-time`: a local time in Sydney, such as `2026-03-03T14:05`. */
  (
    | {
        type: 'text' | 'money' | 'date' | 'sydney-time';
        isRequired: boolean;
        longest?: number;
        initial?: string;
      }
    | { type: 'choice'; options: readonly string[] }
    /** One of the float accounts that the key may see. */
    | { type: 'float-account' }
  );

/** The request that a form makes, or what is wrong with the form. */
export type Request = { path: string; body: unknown; method?: 'PATCH' } | { wrong: string };

export interface Action<Resource> {
  /** The last part of its path. */
  name: string;
  title: string;
  scope: Scope;
  /** The operation of the API, for the audit log. Absent: the API audits it. */
  operationId?: string;
  isOffered: (resource: Resource) => boolean;
  /** What happens, in sentences, before the person presses the button. @param form what was typed or linked so far. */
  effect: (resource: Resource, form: Form) => readonly string[];
  fields: readonly Field[];
  request: (path: string, form: Form) => Request;
  /** Whether a second person may have to approve it. Default: if its scope is `operate`. */
  takesApproval?: boolean;
  /** What only the API can tell about the effect. The person reads it before a second step, which sends the form. */
  preview?: (visit: Visit, form: Form) => Promise<Answered<Child>>;
  /** Shows an answer that the API gives only once, instead of the page of the resource. */
  outcome?: (answer: unknown, visit: Visit) => Child;
  /** What the page of the resource says afterwards. */
  done: string;
  /** What a person reads instead of the problem of the API. Undefined: the usual text. */
  advice?: (problem: Problem) => string | undefined;
}

/** The fields that have a value. */
export const given = (form: Form, ...names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (form[name] ? [[name, form[name]]] : [])));
