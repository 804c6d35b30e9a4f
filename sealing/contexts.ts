// The contexts that sealed values are bound to, so that one cannot replace another. They are in one list, because no two may coincide.

/** Binds a sealed access token to its connection and generation. It does not open under any other. */
export const accessContext = (connectionId: string, generation: number): string =>
  `connection/${connectionId}/access/${generation}`;
/** Binds a sealed refresh token to its connection and generation. It does not open under any other. */
export const refreshContext = (connectionId: string, generation: number): string =>
  `connection/${connectionId}/refresh/${generation}`;
/** Binds an authorisation code, or a PKCE verifier, that is sealed for workers, to its connection and round of consent. */
export const codeContext = (connectionId: string, round: number): string =>
  `connection/${connectionId}/code/${round}`;
/** The PKCE verifier of one round (RFC 7636). It is derived when the link is created, and again when the code arrives. */
export const verifierContext = (connectionId: string, { round, expiresAt }: RoundOfConsent): string =>
  `connection/${connectionId}/verifier/${round}/${expiresAt}`;
/** A connection that ended and started again counts its rounds from the start, so the number alone is not unique. */
interface RoundOfConsent {
  round: number;
  expiresAt: string;
}
/** The seed of the private key that consents are sealed to. */
export const PRIVATE_KEY_CONTEXT = 'consent-private-key';
/** The ticket of a consent link. It reveals its connection only when opened. */
export const CONSENT_TICKET_CONTEXT = 'consent-ticket';
/** The OAuth `state` passes through the merchant's browser. It reveals its connection only when opened. */
export const OAUTH_STATE_CONTEXT = 'oauth-state';
/** Payloads on their way to Temporal. No context of a connection starts like this. */
export const payloadContext = (namespace: string): string => `payload/1/${namespace}`;
/** The cookie of an operator who may decode payloads. */
export const CODEC_SESSION_CONTEXT = 'codec-session';
/** The cookie of a person who is signed in to the console. */
export const CONSOLE_SESSION_CONTEXT = 'console-session';
/** A row of the records. It does not open as another row, in another table, or as a row of another connection. */
export const rowContext = (table: string, uid: string, connectionId: string | null): string =>
  `records/2/${JSON.stringify([table, uid, connectionId])}`;
/** What a later run needs of a row of the records. It does not open as the row, or for another one. */
export const carriedContext = (table: string, uid: string): string => `records/1/carried/${table}/${uid}`;
/** An entry of the records. It does not open as another entry, or as an entry of another connection. */
export const entryContext = (
  { workflowId, sequence, kind }: { workflowId: string; sequence: number; kind: string },
  connectionId: string | null,
): string => `records/2/entries/${JSON.stringify([workflowId, sequence, kind, connectionId])}`;
/** The canary of a key in the records. */
export const canaryContext = (keyId: string): string => `records/1/canary/${keyId}`;
/** The secret of the search tags of the records. Equal values in two tables have different tags. */
export const searchTagContext = (table: string): string => `records/1/tags/${table}`;
/** What the tables of webhooks seal: settings and secrets of endpoints, and the answers of their receivers. */
export const webhookContext = (table: string, id: string): string => `records/1/${table}/${id}`;
