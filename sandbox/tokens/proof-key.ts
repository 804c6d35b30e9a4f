// Proof keys for codes (RFC 7636): a client that names a challenge for a code must show, when using it, what the challenge is of.
import { createHash } from 'node:crypto';
import type { Form } from '../http/request.js';
import type { Challenge } from '../store/grant.schema.js';

const UNRESERVED = /^[A-Za-z0-9._~-]{43,128}$/;

/** The challenge of an authorisation request; null where it names none, undefined where it names one that cannot be used. */
export function challengeIn({ code_challenge, code_challenge_method }: Form): Challenge | null | undefined {
  if (code_challenge === undefined) return code_challenge_method === undefined ? null : undefined;
  const method = code_challenge_method ?? 'plain';
  if (!UNRESERVED.test(code_challenge) || (method !== 'plain' && method !== 'S256')) return undefined;
  return { value: code_challenge, method };
}

/** Without a challenge a verifier is wrong too: the challenge may have been removed on the way (RFC 9700, 2.1.1). */
export function isProven(challenge: Challenge | null, verifier: string | undefined): boolean {
  if (challenge === null || verifier === undefined) return challenge === null && verifier === undefined;
  if (!UNRESERVED.test(verifier)) return false;
  const shown = challenge.method === 'plain' ? verifier : sha256(verifier);
  return shown === challenge.value;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');
