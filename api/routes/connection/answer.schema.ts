// What the API answers of connections, made from what the connection workflow shows: their health, and where a person
// consents. Never a token.
import { z } from 'zod';
import { CHECK_PROGRESS, CONNECTION_STATUSES } from '../../../workflows/connection/contract.js';
import type { ConnectionView } from '../../../workflows/connection/contract.js';
import { connectionLinks } from '../links.js';
import type { TemporalUi } from '../links.js';
import { Attention, Awaiting, InstantSchema, awaitingAnswer } from '../../http/answer-parts.schema.js';

const Connection = z
  .object({
    id: z.string(),
    status: z.enum(CONNECTION_STATUSES),
    generation: z.int().meta({
      description: 'Counts its token pairs, and jumps with each consent; 0 while it has none.',
    }),
    expires_at: InstantSchema.nullable().meta({
      description: 'When the access token ends; it is renewed on demand.',
    }),
    scopes: z.object({
      granted: z.array(z.string()).nullable().meta({
        description:
          'By the merchant; null where there is no consent, or the provider did not name its scopes.',
      }),
      needed: z.array(z.string()).meta({ description: 'What we ask for (OAUTH_SCOPES).' }),
      missing: z
        .array(z.string())
        .meta({ description: 'Needed and not granted: only a new consent adds it.' }),
    }),
    account: z.string().meta({
      description:
        'The account that this connection belongs to, as a hash of its nickname and ABN; `unknown` where the provider has shown ' +
        'none. A consent of another account is refused.',
    }),
    account_check: z
      .object({ state: z.enum(CHECK_PROGRESS), since: InstantSchema, detail: z.string() })
      .nullable()
      .meta({
        description:
          'The newest consent, while its account is not confirmed: its tokens are used for the check alone. Null otherwise.',
      }),
    account_accepted: z
      .object({ at: InstantSchema, by: z.string(), reason: z.string() })
      .nullable()
      .meta({ description: 'Who let another account consent than before, and why.' }),
    authorize_url: z
      .string()
      .nullable()
      .meta({ description: 'Where a person consents: good once, for ten minutes. Only in answers to POST.' }),
    next: z.string().meta({ description: 'What a person should do now.' }),
    awaiting: Awaiting,
    attention: z.array(Attention),
    created_at: InstantSchema,
    last_failure: z.object({ at: InstantSchema, code: z.string(), detail: z.string() }).nullable(),
    links: z.object({ self: z.string(), reauthorisation: z.string(), temporal_ui: z.string().nullable() }),
  })
  .meta({ id: 'Connection' });
type Connection = z.output<typeof Connection>;

export const ConnectionAnswer = z.object({ data: Connection }).meta({ id: 'ConnectionAnswer' });

/** What an answer is made of besides what the workflow answers. */
interface ConnectionAnswerParts {
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
    account: view.account?.id ?? 'unknown',
    account_check: checkOf(view),
    account_accepted: view.account?.accepted ?? null,
    authorize_url: authorizeUrl ?? null,
    next: nextOf(view, scopes.missing, authorizeUrl),
    awaiting: awaitingAnswer(view.awaiting),
    attention: view.attention,
    created_at: view.createdAt,
    last_failure: view.lastFailure ?? null,
    links: connectionLinks(ui, view.id),
  };
}

const checkOf = ({ unconfirmed: check }: ConnectionView): Connection['account_check'] =>
  check === undefined ? null : { state: check.progress, since: check.since, detail: check.detail };

/** A server that leaves the scope out has granted what was asked for (RFC 6749, 5.1): then it cannot be known what is missing. */
function scopesOf({ scope }: ConnectionView, neededScopes: string): Connection['scopes'] {
  const needed = namesIn(neededScopes);
  const granted = scope === undefined ? null : namesIn(scope);
  if (granted === null || granted.length === 0) return { granted: null, needed, missing: [] };
  return { granted, needed, missing: needed.filter((name) => !granted.includes(name)) };
}

const namesIn = (scopes: string): string[] => [
  ...new Set(scopes.split(/[\s,]+/).filter((name) => name !== '')),
];

/** The one thing that a person should do now, in words. */
function nextOf(
  { id, status, unconfirmed, attention }: ConnectionView,
  missing: readonly string[],
  authorizeUrl: string | undefined,
): string {
  if (authorizeUrl !== undefined)
    return 'Send the merchant to authorize_url: it is good once, for ten minutes. What waits goes on by itself then.';
  const again = `POST /v1/connections/${id}/reauthorisation answers the link for the merchant`;
  const [flag] = attention;
  if (flag !== undefined) return flag.next;
  if (unconfirmed !== undefined) return `Nothing yet: the check is repeated. ${unconfirmed.detail}`;
  if (status !== 'healthy') return `${again}; it is good once, for ten minutes.`;
  if (missing.length > 0)
    return `Have the merchant consent again, as ${missing.join(', ')} is missing: ${again}.`;
  return 'Nothing: the token is renewed whenever it is needed.';
}
