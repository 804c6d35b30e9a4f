// The OAuth `state`: sealed, so that only we can read its connection, and bound to one consent round.
import { z } from 'zod';
import { authorizeUrl } from '../../../payments-api/authorize-url.js';
import type { AuthorizeOptions } from '../../../payments-api/authorize-url.js';
import { OAUTH_STATE_CONTEXT, codeContext, verifierContext } from '../../../sealing/contexts.js';
import { derive } from '../../../sealing/keyring.js';
import { seal } from '../../../sealing/keyring.js';
import { openValue, sealValue } from '../../http/sealed-value.js';
import type { Keyring } from '../../../sealing/keyring.js';
import type { ConsentAnswer, ConsentRound } from '../../../workflows/connection/contract.js';

export interface Authorisation extends AuthorizeOptions {
  /** Whether the server supports PKCE (RFC 7636). The provider's documentation does not state it. */
  pkce: 'off' | 'S256';
}

/** The connection workflow checks the expiry of the round, because it uses Temporal's clock and ours may be wrong. */
const State = z.object({
  connection: z.string(),
  round: z.int(),
  expiresAt: z.string(),
  /** The id of the key that the PKCE verifier is derived from, if PKCE is on. */
  verifierKey: z.string().optional(),
});
type State = z.output<typeof State>;

/** The link for the merchant's consent. Valid once, until the round expires. */
export function consentUrl(
  keyring: Keyring,
  to: Authorisation,
  connection: string,
  round: ConsentRound,
): string {
  const verifierKey = to.pkce === 'S256' ? keyring[0].id : undefined;
  const state: State = { connection, ...round, verifierKey };
  return authorizeUrl(to, sealValue(keyring, state, OAUTH_STATE_CONTEXT), verifierOf(keyring, state));
}

/** Opens a state that we issued. Undefined for any other value. */
export const openState = (keyring: Keyring, sealed: string): State | undefined =>
  openValue(keyring, sealed, OAUTH_STATE_CONTEXT, State);

/** Seals the code for its round, with the PKCE verifier of the link. */
export function consentAnswer(keyring: Keyring, state: State, code: string): ConsentAnswer {
  const { connection, round, expiresAt } = state;
  const sealed = (text: string): string => seal(keyring, text, codeContext(connection, round));
  const verifier = verifierOf(keyring, state);
  return {
    round,
    expiresAt,
    sealedCode: sealed(code),
    sealedVerifier: verifier === undefined ? undefined : sealed(verifier),
  };
}

/** Derived for the link, and again when the code arrives, so that it is stored nowhere. */
const verifierOf = (keyring: Keyring, state: State): string | undefined =>
  state.verifierKey === undefined
    ? undefined
    : derive(keyring, state.verifierKey, verifierContext(state.connection, state)).toString('base64url');
