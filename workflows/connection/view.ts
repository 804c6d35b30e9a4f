// How a connection looks from outside: what callers of the provider need, and what operators see.
import { WAITS } from '../../domain/waits.js';
import { generationOf, nextConnectionStep } from './state.js';
import { publishAttributes, publishWords, readable } from '../entity/publish.js';
import { CONNECTION_STATUS } from '../entity/contract.js';
import type { AwaitingWhat } from '../../domain/legible.js';
import type { AccessGrant, ConnectionView } from './contract.js';
import type { ConnectionRecord, ConnectionStatus } from './state.js';

const AWAITED: Readonly<Record<ConnectionStatus, AwaitingWhat>> = {
  awaiting_consent: 'consent',
  healthy: 'nothing',
  needs_reauthorisation: 'consent',
};

export function connectionView(record: ConnectionRecord): ConnectionView {
  const { id, status, tokens, awaiting, attention, createdAt, lastFailure } = record;
  const { expiresAt, scope } = tokens ?? {};
  return {
    id,
    status,
    generation: generationOf(record),
    expiresAt,
    scope,
    awaiting,
    attention,
    createdAt,
    lastFailure,
  };
}

/** What a caller of the provider needs; the refresh token stays here. */
export function accessOf({ status, tokens }: ConnectionRecord): AccessGrant {
  if (tokens === undefined) return { status };
  const { generation, expiresAt, refreshAt, scope, sealedAccess } = tokens;
  return { status, generation, expiresAt, refreshAt, scope, sealedAccess };
}

export function publishConnection(
  record: ConnectionRecord,
  change: (by: (known: ConnectionRecord) => ConnectionRecord) => void,
  now: string,
): void {
  const what = AWAITED[record.status];
  const awaiting = record.awaiting.what === what ? record.awaiting : { what, since: now };
  if (awaiting !== record.awaiting) change((known) => ({ ...known, awaiting }));
  publishAttributes({
    awaiting,
    attention: record.attention,
    connectionId: record.id,
    own: [{ key: CONNECTION_STATUS, value: record.status }],
  });
  const title = `Connection ${record.id} is ${record.status.replaceAll('_', ' ')}`;
  publishWords({ title, awaiting, attention: record.attention, known: knownOf(record) });
}

function knownOf(record: ConnectionRecord): string[] {
  const { tokens, lastFailure } = record;
  const doing = nextConnectionStep(record).do;
  return [
    tokens === undefined
      ? WAITS.consent.next
      : `token generation ${tokens.generation}, good until ${readable(tokens.expiresAt)}, refreshed only when someone needs it`,
    ...(doing === 'refresh' ? ['being refreshed now'] : []),
    ...(lastFailure === undefined ? [] : [`last failure ${readable(lastFailure.at)}: ${lastFailure.detail}`]),
  ];
}
