// What the running sandbox is set to. The control routes may change where webhooks go and how they are signed.
import type { SandboxConfig } from './config.js';

export interface Settings extends SandboxConfig {
  /** Where this sandbox is reached; known once it listens. Links in answers begin with it. */
  baseUrl: string;
}
