// Where the worker's workflow code is: the bundle that the build made, or the sources in development.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const BUILT = fileURLToPath(new URL('../workflow-bundle.js', import.meta.url));
const SOURCE = fileURLToPath(new URL('../workflows/index.ts', import.meta.url));

export type WorkflowCode = { workflowBundle: { codePath: string } } | { workflowsPath: string };

export const workflowCode = (): WorkflowCode =>
  existsSync(BUILT) ? { workflowBundle: { codePath: BUILT } } : { workflowsPath: SOURCE };
