import type { WorkflowHandle } from '@temporalio/client';
import type { Activities } from '../../activities/index.js';
import type { Temporal } from '../support/temporal.js';

export interface Script {
  activities: Partial<Activities>;
  live(temporal: Temporal): Promise<WorkflowHandle[]>;
}

export type Scripts = Readonly<Record<string, Script>>;
