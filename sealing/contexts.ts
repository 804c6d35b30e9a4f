// What sealed things are bound to, so that one cannot be passed off as another. All in one list: no two may coincide.

/** Binds a sealed access token to its connection and generation: under any other it does not open. */
export const accessContext = (connectionId: string, generation: number): string =>
  `connection/${connectionId}/access/${generation}`;
/** Binds a sealed refresh token to its connection and generation: under any other it does not open. */
export const refreshContext = (connectionId: string, generation: number): string =>
  `connection/${connectionId}/refresh/${generation}`;
/** Binds a sealed authorisation code to its connection and round of consent: under any other it does not open. */
export const codeContext = (connectionId: string, round: number): string =>
  `connection/${connectionId}/code/${round}`;
/** The verifier of one round (RFC 7636): derived when the link is made, and again when the code comes back. */
export const verifierContext = (connectionId: string, { round, expiresAt }: RoundOfConsent): string =>
  `connection/${connectionId}/verifier/${round}/${expiresAt}`;
/** A connection that was ended and begun again counts its rounds anew, so the number alone would name two of them. */
interface RoundOfConsent {
  round: number;
  expiresAt: string;
}
/** The OAuth `state` travels through the merchant's browser and names its connection only when opened. */
export const OAUTH_STATE_CONTEXT = 'oauth-state';
/** Payloads on their way to Temporal; no connection's context begins like this. */
export const payloadContext = (namespace: string): string => `payload/1/${namespace}`;
/** The cookie of an operator who may have payloads decoded. */
export const CODEC_SESSION_CONTEXT = 'codec-session';
