// What the driver and the processes of the comparisons agree on.
import type { AgreementEvent } from './workflows/index.js';

export const TASK_QUEUE = 'comparison';

export type ComparisonName = 'bare' | 'duties' | 'empty';

/** The first message to both processes. */
export interface ComparisonPlan {
  temporalAddress: string;
  names: readonly ComparisonName[];
  /** Empty texts if `duties` is not among the names. */
  duties: { databaseUrl: string; sandboxUrl: string; accessToken: string; encryptionKey: string };
  /** Where the client receives the webhooks of the sandbox. */
  webhookPort: number;
}

/** To the client: a stimulus of one life. */
export interface Stimulus {
  to: ComparisonName;
  uid: string;
  does: 'start' | 'settled' | AgreementEvent;
}

/** From the worker: a reader could find this state now. */
export interface StateReport {
  uid: string;
  state: string;
}
