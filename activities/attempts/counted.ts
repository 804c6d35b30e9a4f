// What a worker counts of what the provider says, among Temporal's own figures (docs/deployment.md#watching-it). Labels are closed lists:
// never an id.
import { metricMeter } from '@temporalio/activity';
import { isUnknownEvent, isUnknownState } from '../../domain/facts/lifecycles.js';
import type { Notification } from '../../domain/facts/fact.js';
import type { Resource } from '../../domain/facts/lifecycles.js';

const count = (name: string, description: string, labels: Record<string, string>): void => {
  metricMeter.createCounter(name, undefined, description).add(1, labels);
};

/** Each reading counts: how fast it grows says how much is in such a state. */
export function countState(resource: Resource, state: string): void {
  if (isUnknownState(resource, state))
    count('payto_states_unknown', 'Readings that show a state that this release does not know.', {
      resource,
    });
}

/** Each submission that was kept back counts, and why. */
export function countStopped(reason: 'stopped' | 'unreadable'): void {
  count(
    'payto_submissions_stopped',
    'Submissions that were not sent: a stop is in force, or it could not be read whether one is.',
    { reason },
  );
}

/** The bridge counts what is pushed; this is what was missed then. */
export function countAudited(notification: Notification): void {
  const { resource } = notification;
  count('payto_audit_events_accepted', 'Events that an audit has handed to Temporal.', { resource });
  if (isUnknownEvent(notification))
    count(
      'payto_audit_events_unknown',
      'Events handed in by an audit, of a type that this release does not know.',
      {
        resource,
      },
    );
}
