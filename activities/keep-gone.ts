// Stores an event about a thing whose records have expired or were erased, for an operator and without personal data.
import { keepNotification } from '../delivery/notifications.js';
import { withoutPersonalData } from '../domain/records/erasure.js';
import type { Fact } from '../domain/facts/fact.js';
import type { RememberedEnd } from '../domain/records/remembered.js';
import { EVENT_RESOURCES, RESOURCES, type EventResource, type ResourceName } from '../domain/resources.js';
import type { Dependencies } from './dependencies.js';

interface GoneFact extends Pick<RememberedEnd, 'why' | 'since'> {
  resource: ResourceName;
  uid: string;
  fact: Fact;
}

const isEventResource = (resource: ResourceName): resource is EventResource =>
  EVENT_RESOURCES.some((one) => one === resource);

export const keepGoneActivity =
  ({ temporal: client, taskQueue }: Pick<Dependencies, 'temporal' | 'taskQueue'>) =>
  async ({ resource, uid, why, since, fact }: GoneFact): Promise<void> => {
    const stripped = withoutPersonalData(fact) as Fact;
    const gone = { resource, uid, why, since };
    const resourceType = isEventResource(resource) ? RESOURCES[resource].provider.webhook : resource;
    await keepNotification({ client, taskQueue }, { resourceType, fact: stripped, gone });
  };
