// Consent links and the OAuth `state`: sealed, so that only we can read their connection, and bound to one consent round.
import { z } from 'zod';
import { authorizeUrl, type AuthorizeOptions } from '../../../payments-api/authorize-url.js';
import {
  CONSENT_TICKET_CONTEXT,
  OAUTH_STATE_CONTEXT,
  codeContext,
  verifierContext,
} from '../../../sealing/contexts.js';
import { derive, type Keyring } from '../../../sealing/keyring.js';
import { sealTo, type PublicKey } from '../../../sealing/public-key.js';
import { openValue, sealValue } from '../../http/sealed-value.js';
import type { ConsentAnswer } from '../../../workflows/connection/contract.js';

export interface Authorisation extends AuthorizeOptions {
  /** Whether to use PKCE (RFC 7636). The provider's documentation does not mention it; a server without it ignores the challenge. */
  pkce: 'off' | 'S256';
  /** The allowed return URLs, without their query. */
  returnUrls: readonly string[];
  /** Whether a person must confirm the first account of a connection, unless it is the expected one. */
  needsConfirmation: boolean;
}

/** The connection workflow checks the expiry of the round, because it uses Temporal's clock and ours may be wrong. */
const Ticket = z.object({
  connection: z.string(),
  round: z.int(),
  expiresAt: z.string(),
  returnUrl: z.string().optional(),
});
export type Ticket = z.output<typeof Ticket>;

const OAuthState = Ticket.extend({
  /** The hash of the cookie of the browser that used the ticket. */
  browser: z.string(),
  /** The id of the key that the PKCE verifier is derived from, if PKCE is on. */
  verifierKey: z.string().optional(),
});
type OAuthState = z.output<typeof OAuthState>;

/** The longest path parameter of a link, and the longest OAuth parameter that we read. */
export const LONGEST_SEALED = 4096;

/** Our page at which the merchant begins. It is beside the registered redirect URI. */
export const beginUrl = (sessionKeys: Keyring, { redirectUri }: AuthorizeOptions, ticket: Ticket): string =>
  new URL(`begin/${sealValue(sessionKeys, ticket, CONSENT_TICKET_CONTEXT)}`, redirectUri).href;

/** Undefined for anything that we did not issue. */
export const openTicket = (sessionKeys: Keyring, sealed: string): Ticket | undefined =>
  openValue(sessionKeys, sealed, CONSENT_TICKET_CONTEXT, Ticket);

/** The provider's page for the merchant's consent. Valid once, in one browser, until the round expires. */
export function consentUrl(sessionKeys: Keyring, to: Authorisation, ticket: Ticket, browser: string): string {
  const verifierKey = to.pkce === 'S256' ? sessionKeys[0].id : undefined;
  const state: OAuthState = { ...ticket, browser, verifierKey };
  return authorizeUrl(to, sealValue(sessionKeys, state, OAUTH_STATE_CONTEXT), verifierOf(sessionKeys, state));
}

/** Opens a state that we issued. Undefined for any other value. */
export const openState = (sessionKeys: Keyring, sealed: string): OAuthState | undefined =>
  openValue(sessionKeys, sealed, OAUTH_STATE_CONTEXT, OAuthState);

/** Seals the code for the workers, with the PKCE verifier of the link. We cannot open them again. */
export async function consentAnswer(
  { sessionKeys, tokenKey }: { sessionKeys: Keyring; tokenKey: PublicKey },
  state: OAuthState,
  code: string,
): Promise<ConsentAnswer> {
  const { connection, round, expiresAt, browser } = state;
  const sealed = (text: string): Promise<string> => sealTo(tokenKey, text, codeContext(connection, round));
  const verifier = verifierOf(sessionKeys, state);
  return {
    round,
    expiresAt,
    browser,
    sealedCode: await sealed(code),
    sealedVerifier: verifier === undefined ? undefined : await sealed(verifier),
  };
}

/** Derived for the link, and again when the code arrives, so that it is stored nowhere. */
const verifierOf = (sessionKeys: Keyring, state: OAuthState): string | undefined =>
  state.verifierKey === undefined
    ? undefined
    : derive(sessionKeys, state.verifierKey, verifierContext(state.connection, state)).toString('base64url');
