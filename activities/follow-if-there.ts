// Looks on one connection for a resource that an event named. If it is there, the event starts or reaches the resource's workflow.
import { deliver } from '../delivery/deliver.js';
import { deliverAbout } from '../delivery/notifications.js';
import type { About } from '../workflows/notification/contract.js';
import type { Fact } from '../domain/facts/fact.js';
import type { Dependencies } from './dependencies.js';
import type { Ref } from './resource/snapshot.js';

/** Reads that return null if the connection does not have the resource. */
type Reads = Readonly<Record<About['resource'], { find: (ref: Ref) => Promise<object | null> }>>;

export function followActivities(
  { temporal: client, taskQueue }: Pick<Dependencies, 'temporal' | 'taskQueue'>,
  reads: Reads,
) {
  return {
    followIfThere: async ({ resource, uid, fact }: About & { fact: Fact }): Promise<boolean> => {
      const { provenConnectionId: connectionId } = fact;
      if (connectionId === undefined) return false;
      if ((await reads[resource].find({ uid, connectionId })) === null) return false;
      const sent = { connection: connectionId, by: 'a notification', how: deliver };
      if (await deliverAbout({ client, taskQueue }, { resource, uid }, fact, sent)) return true;
      throw new Error(
        `${resource}/${uid} did not receive the event; expected the next attempt to deliver it`,
      );
    },
  };
}
