// Proof keys for codes (RFC 7636): a client that sends a challenge for a code must later send the matching verifier.
import { createHash } from 'node:crypto';
import type { Form } from '../http/request.js';
import type { Challenge } from '../store/grant.schema.js';

const UNRESERVED = /^[A-Za-z0-9._~-]{43,128}$/;

/** The challenge of an authorisation request. Null if there is none, undefined if it is invalid. */
export function challengeIn({ code_challenge, code_challenge_method }: Form): Challenge | null | undefined {
  if (code_challenge === undefined) return code_challenge_method === undefined ? null : undefined;
  const method = code_challenge_method ?? 'plain';
  if (!UNRESERVED.test(code_challenge) || (method !== 'plain' && method !== 'S256')) return undefined;
  return { value: code_challenge, method };
}

/** A verifier without a challenge is also refused: an attacker may have removed the challenge (RFC 9700, 2.1.1). */
export function isProven(challenge: Challenge | null, verifier: string | undefined): boolean {
  if (challenge === null || verifier === undefined) return challenge === null && verifier === undefined;
  if (!UNRESERVED.test(verifier)) return false;
  const shown = challenge.method === 'plain' ? verifier : sha256(verifier);
  return shown === challenge.value;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');
