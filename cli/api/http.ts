// One JSON call over HTTP, judged: an answer of the form that was asked for, or an error that says what was met.
import { z } from 'zod';

const TIMEOUT_MS = 40_000;
const MOST_CHARACTERS = 400;

/** An answer that was not expected. */
export class UnexpectedAnswer extends Error {
  override readonly name = 'UnexpectedAnswer';
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export interface JsonCall {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
  /** Gives up when it aborts. */
  signal?: AbortSignal;
}

/** @throws UnexpectedAnswer when the status is no success or the body is of another form. */
export async function callJson<Schema extends z.ZodType>(
  url: string,
  schema: Schema,
  { method = 'GET', headers = {}, body, signal }: JsonCall = {},
): Promise<z.output<Schema>> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(signal ? [signal] : [])]),
  });
  const text = await response.text();
  const met = `${method} ${url} answered ${response.status} ${text.slice(0, MOST_CHARACTERS)}`;
  if (!response.ok) throw new UnexpectedAnswer(response.status, met);
  const parsed = schema.safeParse(jsonOf(text));
  if (parsed.success) return parsed.data;
  throw new UnexpectedAnswer(response.status, `${met}\nexpected otherwise: ${z.prettifyError(parsed.error)}`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
