// An action that a person can take on a resource: its form, what it does, and the endpoint of the API that does it.
import type { Scope } from '../../http/api-keys.js';
import type { Form } from '../form.js';
import type { Problem } from '../own-api.js';

export type Field = {
  name: string;
  label: string;
  hint?: string;
  /** A link to the form may fill this field. */
  isFromLink?: true;
} & (
  | { type: 'text' | 'money' | 'date'; isRequired: boolean; longest?: number; initial?: string }
  | { type: 'choice'; options: readonly string[] }
  /** One of the float accounts that the key may see. */
  | { type: 'float-account' }
);

/** The request that a form makes, or what is wrong with the form. */
export type Request = { path: string; body: unknown } | { wrong: string };

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
  /** What the page of the resource says afterwards. */
  done: string;
  /** What a person reads instead of the problem of the API. Undefined: the usual text. */
  advice?: (problem: Problem) => string | undefined;
  /** Dual control does not concern it. */
  isWithoutApproval?: true;
}

/** The fields that have a value. */
export const given = (form: Form, ...names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (form[name] ? [[name, form[name]]] : [])));
