// From what the connection workflow says to what callers read.
import type { ConnectionView } from '../../workflows/connection/contract.js';
import { connectionLinks } from '../links.js';
import type { TemporalUi } from '../links.js';
import type { Connection } from '../schemas/connection.schema.js';
import { awaitingAnswer } from './legible.js';

/** What an answer is made of besides what the workflow says. */
export interface ConnectionAnswerParts {
  ui: TemporalUi;
  /** What we ask for, separated by spaces. */
  neededScopes: string;
  /** Where a person consents, when a round of consent was just opened. */
  authorizeUrl?: string | undefined;
}

export function connectionAnswer(view: ConnectionView, parts: ConnectionAnswerParts): Connection {
  const { ui, neededScopes, authorizeUrl } = parts;
  const scopes = scopesOf(view, neededScopes);
  return {
    id: view.id,
    status: view.status,
    generation: view.generation,
    expires_at: view.expiresAt ?? null,
    scopes,
    authorize_url: authorizeUrl ?? null,
    next: nextOf(view, scopes.missing, authorizeUrl),
    awaiting: awaitingAnswer(view.awaiting),
    attention: view.attention,
    created_at: view.createdAt,
    last_failure: view.lastFailure ?? null,
    links: connectionLinks(ui, view.id),
  };
}

/** A server that leaves the scope out has granted what was asked for (RFC 6749, 5.1): then nobody can name what is missing. */
function scopesOf({ scope }: ConnectionView, neededScopes: string): Connection['scopes'] {
  const needed = wordsOf(neededScopes);
  const granted = scope === undefined ? null : wordsOf(scope);
  if (granted === null || granted.length === 0) return { granted: null, needed, missing: [] };
  return { granted, needed, missing: needed.filter((name) => !granted.includes(name)) };
}

const wordsOf = (scopes: string): string[] => [
  ...new Set(scopes.split(/[\s,]+/).filter((name) => name !== '')),
];

/** The one thing that a person should do now, in words. */
function nextOf(
  { id, status, attention }: ConnectionView,
  missing: readonly string[],
  authorizeUrl: string | undefined,
): string {
  if (authorizeUrl !== undefined)
    return 'Send the merchant to authorize_url: it is good once, for ten minutes. What waits goes on by itself then.';
  const again = `POST /v1/connections/${id}/reauthorisation answers the link for the merchant`;
  const [flag] = attention;
  if (flag !== undefined) return flag.next;
  if (status !== 'healthy') return `${again}; it is good once, for ten minutes.`;
  if (missing.length > 0)
    return `Have the merchant consent again, as ${missing.join(', ')} is missing: ${again}.`;
  return 'Nothing: the token is renewed whenever someone needs it.';
}
