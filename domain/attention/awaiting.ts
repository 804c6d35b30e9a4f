// What a workflow waits for. Pure.
import type { Instant } from '../facts/fact.js';

export const AWAITED = [
  'provider-acceptance', // our request is on its way; the provider has not answered
  'payer-decision', // the payer decides in their bank's app
  'amendment-decision', // the payer decides on an amendment
  'action-outcome', // the provider has taken a command, and reports its outcome later
  'look-up', // something must be read from the provider before we go on
  'reauthorisation', // the merchant must consent again before the provider answers us
  'settlement', // the provider has the payment; its outcome comes later
  'refund', // the provider has the refund, or is to have it; its outcome comes later
  'service', // the provider examines a client, and has not decided on its PayTo service
  'limit', // a daily limit of the provider is reached; the call is made again once it has passed
  'verification', // an account is looked into before it is registered, now or once it may be asked again
  'submission-outcome', // we do not know whether the provider has what was sent
  'agreement', // its agreement's word whether it may still be sent
  'retry', // it has failed, and is tried again later
  'stop', // a stop of payments is in force, or it cannot be read whether one is
  'rows', // the rows of a batch have no answer yet
  'batch', // its batch is not complete, or is paused
  'operator', // an operator must decide
  'consent', // the merchant has not yet consented
  'nothing',
] as const;
export type AwaitingWhat = (typeof AWAITED)[number];

/** What a resource waits for, since when, and until when at the most (absent: as long as it takes). */
export interface Awaiting {
  what: AwaitingWhat;
  since: Instant;
  until?: Instant | undefined;
}
