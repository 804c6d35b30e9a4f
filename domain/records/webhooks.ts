// What the delivery of webhooks reads and stores in the records (records/webhook-delivery.ts).
import type { Attention } from '../attention/flags.js';
import type { EventType } from './event-types.js';

/** As in records/feed.ts. */
export type EventPlace = [era: number, transaction: string, position: number];

/** An event as an endpoint receives it. */
export interface WebhookEvent {
  id: string;
  type: string;
  resource: string;
  uid: string;
  /** Events of one workflow are delivered in order. */
  workflowId: string;
  place: EventPlace;
  /** The body of the request. Undefined: the event could not be opened or rendered. */
  body: string | undefined;
}

/** How far an endpoint has come on the feed. */
export interface WebhookCursor {
  /** `live`, or the id of a replay. */
  id: string;
  place: EventPlace;
  /** The last place of a replay. */
  until: EventPlace | undefined;
  types: readonly string[] | undefined;
  lease: string | undefined;
  /** Epoch milliseconds. */
  lastSuccessAt: number | undefined;
  failingSince: number | undefined;
  /** False: there is nothing after its place. */
  hasNew: boolean;
}

export interface WebhookEndpoint {
  id: string;
  url: string;
  form: string;
  /** `unconfirmed`: no API process has confirmed its key for some minutes. */
  is: 'enabled' | 'disabled' | 'unconfirmed';
  /** Whether its key is confirmed, also while the endpoint is disabled. */
  isConfirmed: boolean;
  /** Those that sign now, the newest first. */
  secrets: string[];
  scopes: readonly string[];
  /** Undefined: all. */
  types: readonly EventType[] | undefined;
  /** Undefined: all, and events without a connection. */
  connections: readonly string[] | undefined;
  attention: Attention[];
  /** Of all cursors, also of those that have ended, and of what was sent by hand. Epoch milliseconds. */
  lastSuccessAt: number | undefined;
  /** Those that have not ended. */
  cursors: WebhookCursor[];
}

/** A resource whose events wait. */
export interface WaitingResource {
  workflowId: string;
  /** Before its next event. */
  place: EventPlace;
  /** How often its next event has failed, and when it failed first. */
  attempts: number;
  since: number;
  /** When it is tried again. Times are epoch milliseconds. */
  nextAt: number;
}

export type WebhookProblem =
  'timeout' | 'refused_address' | 'dns' | 'tls' | 'connection' | 'redirect' | 'status' | 'unreadable';

/** What a receiver answered. */
export interface WebhookAnswer {
  isDelivered: boolean;
  status?: number | undefined;
  /** Undefined: it was delivered. */
  problem?: WebhookProblem | undefined;
  /** The first kB of the body. */
  answer?: string | undefined;
  durationMs: number;
}

export interface WebhookAttempt {
  event: Omit<WebhookEvent, 'body'>;
  attempt: number;
  at: number;
  outcome: 'delivered' | 'failed' | 'set_aside';
  answer: WebhookAnswer;
}

/** What one round of a cursor has changed. */
export interface WebhookProgress {
  endpointId: string;
  cursorId: string;
  lease: string;
  place: EventPlace;
  /** A replay has delivered all of its events. */
  isEnded: boolean;
  lastSuccessAt: number | undefined;
  failingSince: number | undefined;
  attempts: readonly WebhookAttempt[];
  waiting: readonly WaitingResource[];
  /** The workflows that no longer wait. */
  resumed: readonly string[];
  /** So many resources wait that the cursor stops, and no flag says so yet. */
  mostWaiting: number | undefined;
  /** Why the endpoint is disabled now. */
  disabled: DisabledNow | undefined;
  /** Epoch milliseconds. */
  now: number;
}

export interface DisabledNow {
  because: 'gone' | 'failing';
  /** The attempt that decided it. */
  last: WebhookAttempt;
}

/** Another activity has taken the cursor. This one must end. */
export class WebhookLeaseLost extends Error {
  override name = 'WebhookLeaseLost';

  constructor(endpointId: string) {
    super(`another activity delivers to the webhook endpoint ${endpointId} now; this one ends`);
  }
}

export interface WebhookRows {
  /** @returns undefined if it was deleted. */
  readEndpoint: (endpointId: string) => Promise<WebhookEndpoint | undefined>;
  /**
   * Takes all open cursors, or only those that nothing has taken. If the endpoint was paused, or was enabled again, what waits is tried again at once.
   * @returns what waits, by cursor.
   */
  takeCursors: (
    endpointId: string,
    lease: string,
    which: 'all' | 'free',
    now: number,
  ) => Promise<Map<string, WaitingResource[]>>;
  /** Marks the endpoint as paused. */
  releaseCursors: (endpointId: string, lease: string) => Promise<void>;
  /** The events after the cursor. */
  nextEvents: (
    endpoint: WebhookEndpoint,
    cursor: WebhookCursor,
    limit: number,
  ) => Promise<{ events: WebhookEvent[]; next: EventPlace; isNewest: boolean }>;
  /** The events of a waiting resource, up to the cursor. */
  waitingEvents: (
    endpoint: WebhookEndpoint,
    cursor: WebhookCursor,
    waiting: WaitingResource,
    limit: number,
  ) => Promise<{ events: WebhookEvent[]; next: EventPlace; isNewest: boolean }>;
  /** One event that this endpoint may receive. */
  oneEvent: (endpoint: WebhookEndpoint, eventId: string) => Promise<WebhookEvent | undefined>;
  /** In one transaction. @throws WebhookLeaseLost */
  storeProgress: (progress: WebhookProgress) => Promise<void>;
  /** An attempt outside of all cursors. Its success counts as one of the live cursor. @returns its id. */
  storeManual: (endpointId: string, attempt: WebhookAttempt) => Promise<string>;
}
