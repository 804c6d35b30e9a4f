// Finds the connection of a resource, for keys that are bound to connections.
import { workflowIdOf, type ResourceName } from '../../domain/resources.js';
import { noneIfAway } from './records.js';
import type { Calls } from './temporal/calls.js';

/** The resources that belong to a connection. */
export type BoundResource = Exclude<ResourceName, 'connection' | 'stop' | 'notification'>;

/** Reads the row. Without one, or while the records are away, the search attribute of the workflow. */
export const connectionOf =
  ({ recorded, describe }: Pick<Calls, 'recorded' | 'describe'>) =>
  async (resource: BoundResource, uid: string): Promise<string | undefined> => {
    const stored = recorded.ask(async (reader) => {
      const connectionId = await reader.connectionOf(resource, uid);
      return connectionId ?? (await reader.remembered(resource, uid))?.connectionId;
    });
    const connectionId = await stored.catch(noneIfAway);
    // Without a row and a run that has one, only the records can tell.
    return connectionId ?? (await describe(workflowIdOf(resource, uid)))?.connectionId ?? stored;
  };
