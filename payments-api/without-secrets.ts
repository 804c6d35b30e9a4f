// What we sent in confidence, taken out of an answer that repeats it: of a refusal parts go into messages and histories.
import type { Reply } from './http/exchange.js';

const INSTEAD = '[secret]';
/** Below this it is no secret but a word, and blanking it out would spoil an honest answer. */
const SHORTEST_SECRET = 8;

/**
 * The same answer, with each secret blanked out of headers and body. A good one is left as it is: no part of it is ever
 * shown, and a token answer may rightly repeat the refresh token that it was asked with.
 * @param secrets ASCII, as they were sent.
 */
export function withoutSecrets(reply: Reply, secrets: readonly string[]): Reply {
  const { status, headers, body } = reply;
  if (status >= 200 && status < 300) return reply;
  const blanked = (text: string): string =>
    secrets
      .filter(({ length }) => length >= SHORTEST_SECRET)
      .reduce((rest, secret) => rest.replaceAll(secret, INSTEAD), text);
  // latin1 is one character for one byte, so that whatever else is in the body comes through unchanged.
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return {
    status,
    headers: { get: (name) => blanked(headers.get(name) ?? '') || null },
    body: Buffer.from(blanked(bytes.toString('latin1')), 'latin1'),
  };
}
