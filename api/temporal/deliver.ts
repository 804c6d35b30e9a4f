// Tells an agreement or a payment of a fact that the provider pushed.
// In:  api/temporal/notifications.ts. Out: delivery/deliver.ts, bounded in time.
import type { SignalDefinition } from '@temporalio/common';
import { deliver, messageOf } from '../../delivery/deliver.js';
import type { Recipient } from '../../delivery/deliver.js';
import type { Fact } from '../../domain/fact.js';
import { ApiError } from '../errors.js';
import type { Calls } from './calls.js';

/** Resolves once the fact is durable. */
export async function tell<Record extends { uid: string; connectionId?: string | undefined }>(
  calls: Calls,
  recipient: Recipient<Record>,
  signal: SignalDefinition<[Fact]>,
  fact: Fact,
): Promise<void> {
  const message = messageOf('a notification', signal, fact);
  if (await calls.short(() => deliver(calls, recipient, message))) return;
  throw new ApiError('temporal_unavailable', 'The notification was not kept. Send it again.');
}
