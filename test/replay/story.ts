// A life worth remembering: it goes along one reachable path, and its history is replayed by every later release.
import type { WorkflowHandle } from '@temporalio/client';
import type { Activities } from '../../activities/index.js';
import type { Temporal } from '../support/temporal.js';

export interface Story {
  activities: Partial<Activities>;
  /** Lives the life; the histories of these runs are kept. */
  live(temporal: Temporal): Promise<WorkflowHandle[]>;
}

/** Lives by name; a name is never given to another one. */
export type Stories = Readonly<Record<string, Story>>;
