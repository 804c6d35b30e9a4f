// One JSON call over HTTP. It returns the parsed answer, or throws an error that quotes the received one.
import { z } from 'zod';

const TIMEOUT_MS = 40_000;
const MOST_CHARACTERS = 400;

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
  /** Cancels the call. */
  signal?: AbortSignal;
}

/** @throws UnexpectedAnswer if the status is not a success or the body does not match the schema. */
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
  throw new UnexpectedAnswer(response.status, `${met}\ninvalid body: ${z.prettifyError(parsed.error)}`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
