// A request's body: a JSON object under the right content type, or a refusal.
import { refuse } from './refusal.js';

export function parseBody(contentType: string | undefined, text: string): object {
  if (!/^application\/json\b/i.test(contentType ?? '')) {
    throw refuse(400, 'Malformed request', 'The body must be sent as application/json');
  }
  const body = json(text);
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
  throw refuse(400, 'Malformed request', 'The body must be a JSON object');
}

/** The uid a body asks for, good or bad: faults and ledger are told by it. */
export function uidWritten(text: string): string | null {
  const body = json(text);
  const isObject = typeof body === 'object' && body !== null && 'uid' in body;
  return isObject && typeof body.uid === 'string' ? body.uid : null;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
