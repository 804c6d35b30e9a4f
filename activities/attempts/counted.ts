// The worker's own metrics, exported with Temporal's (docs/deployment.md#monitoring). Labels have closed sets of values, never ids.
import { metricMeter } from '@temporalio/activity';
import {
  isUnknownEvent,
  isUnknownState,
  type Notification,
  type ProviderResource,
} from '../../domain/resources.js';

const count = (name: string, description: string, labels: Record<string, string>): void => {
  metricMeter.createCounter(name, undefined, description).add(1, labels);
};

/** Counts every read that returns an unknown state, so the rate shows how many resources are in one. */
export function countState(resource: ProviderResource, state: string): void {
  if (isUnknownState(resource, state))
    count('payto_states_unknown', 'Reads that returned a state unknown to this release.', {
      resource,
    });
}

/** Counts each submission that was not sent, by reason. */
export function countStopped(reason: 'stopped' | 'unreadable'): void {
  count(
    'payto_submissions_stopped',
    'Submissions not sent because payments are stopped, or because the stop status could not be read.',
    { reason },
  );
}

/** The API counts pushed webhooks. This counts the events that only the audit found. */
export function countAudited(notification: Notification): void {
  const { resource } = notification;
  count('payto_audit_events_accepted', 'Events that an audit delivered to Temporal.', { resource });
  if (isUnknownEvent(notification))
    count('payto_audit_events_unknown', 'Events delivered by an audit, of a type unknown to this release.', {
      resource,
    });
}
