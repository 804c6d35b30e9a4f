// What a workflow waits for. Pure.
import type { Instant } from '../facts/fact.js';

export const AWAITED = [
  'provider-acceptance', // Our request is in flight, or the provider has not answered.
  'payer-decision', // The payer decides in their bank's app.
  'amendment-decision', // The payer decides on an amendment.
  'action-outcome', // The provider has accepted a command, and reports its outcome later.
  'look-up', // We must fetch the current state from the provider first.
  'reauthorisation', // The provider refuses our calls until the merchant consents again.
  'settlement', // The provider has the payment, and its outcome is pending.
  'refund', // The refund is being submitted, or its outcome is pending.
  'service', // The provider has not yet decided on the PayTo service of a client.
  'limit', // A daily limit of the provider is reached; the call is retried after it resets.
  'verification', // An account is being verified before it is registered, or waits for its next verification.
  'submission-outcome', // We do not know whether the provider received a submission.
  'agreement', // The agreement has not yet confirmed that the payment may be sent.
  'retry', // The payment has failed, and a retry is scheduled.
  'stop', // Payments are stopped, or we cannot read whether they are.
  'rows', // Some rows of a batch have no answer yet.
  'batch', // The batch is incomplete or paused.
  'operator', // An operator must decide.
  'consent', // The merchant has not consented yet.
  'nothing',
] as const;
export type AwaitingWhat = (typeof AWAITED)[number];

/** What a resource waits for, since when, and the latest end of the wait (absent: no limit). */
export interface Awaiting {
  what: AwaitingWhat;
  since: Instant;
  until?: Instant | undefined;
}
