import type { Client } from '@temporalio/client';
import type { HighRisk } from '../domain/client/may-initiate.js';
import type { OAuth } from '../payments-api/oauth.js';
import type { PaymentsApi } from '../payments-api/client.js';
import type { Keyring } from '../sealing/keyring.js';
import type { RecordWriter } from '../domain/records/batch.js';
import type { KeyBindings } from '../domain/records/bound-key.js';
import type { InitiatorRows } from '../domain/records/initiators.js';
import type { RecordMemory } from '../domain/records/remembered.js';
import type { FloatEntries } from '../domain/float/entries.js';
import type { CreditEntries } from '../domain/float/same-credit.js';
import type { SettlementReports } from '../domain/settlement/storage.js';
import type { SweptRows } from '../domain/records/swept.js';
import type { WebhookRows } from '../domain/records/webhooks.js';
import type { ReadStop } from './temporal/stops.js';
import type { WithAccess } from './tokens/access.js';

export interface SweepSettings {
  /** Milliseconds between two sweeps of a connection; 0 disables them. */
  everyMs: number;
  /** Whether a sweep starts a workflow for an unknown resource. */
  adopts: boolean;
  /** Milliseconds between two requests that a sweep makes or causes. It leaves the rate limit to payments. */
  paceMs: number;
  /** Milliseconds between two workflows that are resumed on a connection. Each of them then makes a request. */
  resumeMs: number;
}

/** Settings of audits. They use the pace of sweeps. */
export interface AuditSettings {
  /** Milliseconds between two audits of a connection; 0 disables them. */
  everyMs: number;
  /** Our webhook URL; if undefined, every webhook is audited. */
  webhookUrl: string | undefined;
}

/**
 * The records in PostgreSQL (records/write.ts, records/swept.ts, records/initiators.ts, records/key-bindings.ts, records/float-entries.ts,
 * records/settlement.ts, records/webhook-delivery.ts).
 */
export interface Records
  extends
    RecordWriter,
    RecordMemory,
    KeyBindings,
    SweptRows,
    InitiatorRows,
    FloatEntries,
    CreditEntries,
    SettlementReports,
    WebhookRows {}

/** Settings of the fetching of settlement reports. */
export interface SettlementSettings {
  /** Milliseconds between two runs of a connection; 0 disables them. */
  everyMs: number;
}

/** When an unmatched credit becomes a case, and when a case needs attention. */
export interface CreditSettings {
  /** How long a credit without a notification waits for its payment or refund before it becomes a case, in milliseconds. */
  caseAfterMs: number;
  /** How long a case may wait for its entry, or for a decision, before it is flagged, in milliseconds. */
  decideWithinMs: number;
}

/** Settings of the delivery of webhooks. */
export interface WebhookSettings {
  /** Whether endpoints may have private addresses, and `http`. */
  allowsPrivate: boolean;
  /** Notices changed rows (records/watchers.ts). */
  watchAll: () => { changed: (withinMs: number, signal: AbortSignal) => Promise<void>; stop: () => void };
  /** The worker stops: an activity ends once its requests have ended. */
  stopping: AbortSignal;
}

export interface Dependencies {
  payments: PaymentsApi;
  oauth: OAuth;
  withAccess: WithAccess;
  readStop: ReadStop;
  records: Records;
  temporal: Client;
  /** The task queue of workflows. An activity may run on another one. */
  taskQueue: string;
  /** Seals tokens, and opens the codes of consents. The API does not have these keys. */
  tokenKeys: Keyring;
  sweep: SweepSettings;
  audit: AuditSettings;
  credits: CreditSettings;
  settlement: SettlementSettings;
  webhooks: WebhookSettings;
  highRisk: HighRisk;
  /** Epoch milliseconds. */
  now: () => number;
}
