// Responses for connections, built from the view of the connection workflow. They never contain a token.
import { z } from 'zod';
import {
  CHECK_PROGRESS,
  CONNECTION_STATUSES,
  type ConnectionView,
} from '../../../workflows/connection/contract.js';
import { linksOf, pathTo, type TemporalUi } from '../links.js';
import { apiResource, type AnswerContext } from '../resource.js';
import type { Gateway } from '../../gateway/create.js';
import { ConnectionParams } from '../../http/parameters.schema.js';
import { FOLLOWED, InstantSchema, followedOf } from '../../http/answer-parts.schema.js';

const Connection = z
  .object({
    id: z.string().meta({
      description: 'Name it as `connection` when you create agreements, clients and counterparties.',
    }),
    status: z.enum(CONNECTION_STATUSES).meta({
      description:
        '`awaiting_consent`: no consent counts yet. `healthy`: calls to the provider can be made. `needs_reauthorisation`: the consent was lost, withdrawn or revoked; agreements and payments wait for a new one.',
    }),
    generation: z.int().meta({
      description:
        'The number of the current token pair. Each refresh adds one, and a new consent usually adds more. 0 while there are no tokens.',
    }),
    expires_at: InstantSchema.nullable().meta({
      description:
        'When the access token expires; workers refresh it on demand. Null while there are no tokens.',
    }),
    scopes: z.object({
      granted: z.array(z.string()).nullable().meta({
        description:
          'Scopes that the merchant granted. Null without a consent, or if the provider did not name the scopes.',
      }),
      needed: z.array(z.string()).meta({ description: 'Scopes that we request (`OAUTH_SCOPES`).' }),
      missing: z
        .array(z.string())
        .meta({ description: 'Needed scopes that were not granted. Only a new consent adds them.' }),
    }),
    account: z.string().meta({
      description:
        'The account of this connection, as a hash of its nickname and ABN. `unknown` if the provider has not shown one. A consent ' +
        'for a different account is refused.',
    }),
    account_check: z
      .object({
        state: z.enum(CHECK_PROGRESS).meta({
          description: '`to_confirm`: an operator must decide. Otherwise `detail` says what happens next.',
        }),
        since: InstantSchema,
        account: z.string().nullable().meta({
          description:
            'The account that consented, as a hash, if it waits for a confirmation. `unknown` if the provider shows none.',
        }),
        detail: z.string().meta({ description: 'Says what the check has found, and what follows.' }),
      })
      .nullable()
      .meta({
        description:
          'The latest consent, if its account is not confirmed yet. Its tokens are used only for the check. With `to_confirm`, an operator decides (`POST …/confirmation`). Null otherwise.',
      }),
    account_accepted: z
      .object({ at: InstantSchema, by: z.string(), reason: z.string() })
      .nullable()
      .meta({ description: 'Who confirmed the first account or accepted a different one, and why.' }),
    authorize_url: z.string().nullable().meta({
      description:
        'The link for the merchant’s consent: a page of ours, valid in one browser and for ten minutes. Only in responses to POST.',
    }),
    next: z.string().meta({ description: 'What a person should do now.' }),
    ...FOLLOWED,
    created_at: InstantSchema,
    last_failure: z
      .object({
        at: InstantSchema,
        code: z.string().meta({ description: 'Why it failed.' }),
        detail: z.string(),
      })
      .nullable()
      .meta({
        description:
          'The latest failure of a consent, an account check or a refresh. Null once tokens were stored after it.',
      }),
    links: z.object({ self: z.string(), reauthorisation: z.string(), temporal_ui: z.string().nullable() }),
  })
  .meta({ id: 'Connection' });
type Connection = z.output<typeof Connection>;

/** @param authorizeUrl the link for the merchant's consent, if a round was just opened. */
export function connectionAnswer(
  ui: TemporalUi,
  view: ConnectionView,
  { neededScopes }: Pick<AnswerContext, 'neededScopes'>,
  authorizeUrl?: string,
): Connection {
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
    ...followedOf(view),
    created_at: view.createdAt,
    last_failure: view.lastFailure ?? null,
    links: linksOf(ui, 'connection', view.id, {
      reauthorisation: `${pathTo('connection', view.id)}/reauthorisation`,
    }),
  };
}

const checkOf = ({ unconfirmed: check }: ConnectionView): Connection['account_check'] =>
  check === undefined
    ? null
    : {
        state: check.progress,
        since: check.since,
        account: check.progress === 'to_confirm' ? (check.account ?? 'unknown') : null,
        detail: check.detail,
      };

/** A server may omit the scope if it granted all requested scopes (RFC 6749, 5.1). Then no scope counts as missing. */
function scopesOf({ scope }: ConnectionView, neededScopes: string): Connection['scopes'] {
  const needed = namesIn(neededScopes);
  const granted = scope === undefined ? null : namesIn(scope);
  if (granted === null || granted.length === 0) return { granted: null, needed, missing: [] };
  return { granted, needed, missing: needed.filter((name) => !granted.includes(name)) };
}

const namesIn = (scopes: string): string[] => [
  ...new Set(scopes.split(/[\s,]+/).filter((name) => name !== '')),
];

function nextOf(
  { id, status, unconfirmed, attention }: ConnectionView,
  missing: readonly string[],
  authorizeUrl: string | undefined,
): string {
  if (authorizeUrl !== undefined)
    return 'Send the merchant to authorize_url, which is valid once and for ten minutes. After the consent, blocked workflows resume automatically.';
  const again = `POST /v1/connections/${id}/reauthorisation returns a link for the merchant`;
  const [flag] = attention;
  if (flag !== undefined) return flag.next;
  if (unconfirmed !== undefined)
    return `No action needed yet: the account check is retried. ${unconfirmed.detail}`;
  if (status !== 'healthy') return `${again}, valid once and for ten minutes.`;
  if (missing.length > 0)
    return `Have the merchant consent again to grant the missing scopes (${missing.join(', ')}): ${again}.`;
  return 'No action needed: the token is refreshed on demand.';
}

export const CONNECTION = apiResource<{
  View: ConnectionView;
  Answer: Connection;
  Gateway: Gateway['connections'];
}>({
  name: 'connection',
  tag: 'connections',
  gateway: ({ connections }) => connections,
  schema: Connection,
  answer: connectionAnswer,
  parameter: { name: 'id', schema: ConnectionParams },
});
