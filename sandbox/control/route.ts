// What a control route is made of: its words parsed, then the function of the control that it stands for.
import type { z } from 'zod';
import { refuse } from '../http/refusal.js';
import type { RequestContext } from '../http/responses.js';
import type { Control } from './control.js';

export interface ControlRoute {
  method: string;
  path: string;
  answer: (c: RequestContext, control: Control) => Promise<object>;
}

/** What a route answers where its function answers nothing. */
const DONE = { done: true };

/** A GET whose query fits the schema. */
export function question<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  ask: (control: Control, query: z.output<Schema>) => object,
): ControlRoute {
  return {
    method: 'GET',
    path,
    answer: (c, control) => Promise.resolve(ask(control, parse(schema, c.req.query()))),
  };
}

/** @param route method and path; what its `:uid` names is handed to `act`. */
export function command<Schema extends z.ZodType>(
  route: `${'POST' | 'PUT' | 'DELETE'} ${string}`,
  schema: Schema,
  act: (control: Control, body: z.output<Schema>, uid: string) => object | void | Promise<object | void>,
): ControlRoute {
  const [method = '', path = ''] = route.split(' ');
  return {
    method,
    path,
    answer: async (c, control) =>
      (await act(control, await read(c, schema), c.req.param('uid') ?? '')) ?? DONE,
  };
}

/** An empty body counts as `{}`. */
async function read<Schema extends z.ZodType>(c: RequestContext, schema: Schema): Promise<z.output<Schema>> {
  const text = await c.req.text();
  let body: unknown = {};
  try {
    if (text.trim() !== '') body = JSON.parse(text);
  } catch {
    throw refuse(400, 'Bad control request', 'The body must be JSON');
  }
  return parse(schema, body);
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const details = parsed.error.issues.map(
    ({ path, message }) => `${path.join('.') || 'request'}: ${message}`,
  );
  throw refuse(400, 'Bad control request', details.join('; '));
}
